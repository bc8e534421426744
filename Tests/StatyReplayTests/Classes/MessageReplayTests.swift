import Chance
import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import StatyRules
import Testing

/// Models with tracks, run again from the messages that they received.
@Suite struct MessageReplayTests {
  enum Message: RecordedMessage {
    case load(String)
    case loaded(String, count: Int)
    case clear
  }

  /// Shows how many items there are of what was asked for last, or of what came last.
  final class Counter {
    enum State {
      case empty, loading, few, many
    }

    let track: StateTrack
    let isFixed: Bool
    /// From more items on there are many.
    let most: Int
    private var wanted = ""
    var state = State.empty { didSet { track.moved(to: state) } }

    init(
      isFixed: Bool = false, most: Int = 10, track: StateTrack = StateTrack("counter")
    ) {
      (self.isFixed, self.most, self.track) = (isFixed, most, track)
    }

    func send(_ message: Message) {
      track.received(message) {
        switch message {
        case .load(let query):
          wanted = query
          state = .loading
        case .loaded(let query, let count):
          if isFixed, query != wanted { return }
          state = count > most ? .many : .few
        case .clear: state = .empty
        }
      }
    }
  }

  private let path: String
  private let messages: [Message] = [
    .load("a"), .load("b"), .loaded("b", count: 3), .loaded("a", count: 30), .clear,
  ]

  init() {
    path = Self.newPath()
  }

  private static func newPath() -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path
  }

  private func record(_ body: (Counter) -> Void) throws {
    let recorder = try HistoryRecorder(at: path)
    let model = Counter()
    recorder.attach(to: model.track, as: "counter")
    body(model)
    recorder.close()
  }

  private func replay(
    isFixed: Bool = false, isConfined: Bool = false, most: Int = 10
  ) throws -> ReplayResult {
    var registry = ControllerRegistry()
    registry.register("counter") { context in
      let model = Counter(isFixed: isFixed, most: most)
      return context.subject(of: model.track, isConfined: isConfined) { (message: Message) in
        model.send(message)
      }
    }
    return try Verification(HistoryReader(path: path), session: 1, registry: registry).run()
  }

  @Test func `the messages are told again, and the moves are the same`() throws {
    try record { model in messages.forEach(model.send) }
    let result = try replay()
    #expect(result.verdict == .reproduced)
    #expect(result.matched == 5 && result.told == 5)
  }

  @Test func `a model that does something else diverges where it does`() throws {
    try record { model in messages.forEach(model.send) }
    let result = try replay(isFixed: true)
    #expect(result.verdict == .diverged)
    let first = try #require(result.divergences.first)
    guard first.difference.kind == .missing, let output = first.difference.recorded else {
      Issue.record("\(first.difference)")
      return
    }
    #expect(output.kind == .moved && output.visit == VisitNumber(3))
  }

  @Test func `a divergence in which only the value differs names both values`() throws {
    try record { model in [.load("a"), .loaded("a", count: 30)].forEach(model.send) }
    let divergence = try #require(try replay(most: 50).divergences.first)
    #expect(divergence.difference.kind == .different)
    let reader = try HistoryReader(path: path)
    let names = try reader.names()
    let row = try #require(try reader.event(divergence.seq, session: 1))
    let words = DivergenceWords(divergence, around: [row]) { names[$0] }
    #expect(
      words.sentence.hasPrefix("the recording moves to #2 many, but the replay moved to #2 few"))
    #expect(words.recorded.contains("many") && words.replayed.contains("few"))
  }

  @Test func `a model that threads use in turn diverges if it is registered as confined`() throws {
    try record { model in
      for message in messages { elsewhere { model.send(message) } }
    }
    #expect(try replay().verdict == .reproduced)
    // Otherwise a thread may have waited in a call while another used the model.
    #expect(try replay(isFixed: true).verdict == .inconclusive)
    let result = try replay(isFixed: true, isConfined: true)
    #expect(result.verdict == .diverged, "\(result)")
    let difference = try #require(result.divergences.first?.difference)
    #expect(difference.kind == .missing && difference.recorded?.visit == VisitNumber(3))
  }

  @Test func `a message inside the handling of another is the model's own`() throws {
    try record { model in
      model.track.received(Message.clear) { model.send(.load("a")) }
    }
    let result = try replay()
    // The replayed model does not send it by itself.
    #expect(result.verdict == .inconclusive)
  }

  @Test func `a move outside of any message cannot be replayed`() throws {
    try record { model in
      model.send(.load("a"))
      model.state = .few
      model.send(.clear)
    }
    let result = try replay()
    #expect(result.verdict == .inconclusive)
    #expect(result.doubts == [.unbracketed(controller: 1, seq: 4, .outsideMessage)])
  }

  @Test func `a message that is not known is named`() throws {
    try record { model in
      model.send(.load("a"))
      model.track.received("tapped") { model.state = .empty }
    }
    let result = try replay()
    #expect(
      result.doubts == [.untoldMessage(controller: 1, seq: 4, name: "tapped", .unknown)])
  }

  @Test func `a message that was recorded by name is told by a closure`() throws {
    try record { model in
      model.track.received("tapped") { model.state = .few }
    }
    var registry = ControllerRegistry()
    registry.register("counter") { context in
      let model = Counter()
      return context.subject(of: model.track)
        .receiving("tapped") { model.track.received("tapped") { model.state = .few } }
    }
    let result = try Verification(
      HistoryReader(path: path), session: 1, registry: registry
    ).run()
    #expect(result.verdict == .reproduced)
  }

  enum Hashed: RecordedMessage {
    case secret(String)
    var recording: MessageRecording { .hashed }
  }

  enum Omitted: RecordedMessage {
    case secret(String)
    var recording: MessageRecording { .omitted }
  }

  enum Other: RecordedMessage {
    case load(Int)
  }

  @Test func `a message that cannot be told is reported`() throws {
    func doubt(_ message: some RecordedMessage) throws -> UntoldMessage? {
      let path = Self.newPath()
      defer { try? FileManager.default.removeItem(atPath: path) }
      let recorder = try HistoryRecorder(at: path)
      let model = Counter()
      recorder.attach(to: model.track, as: "counter")
      model.track.received(message) { model.state = .few }
      recorder.close()
      var registry = ControllerRegistry()
      registry.register("counter") { context in
        let model = Counter()
        return context.subject(of: model.track) { (message: Message) in model.send(message) }
      }
      let result = try Verification(
        HistoryReader(path: path), session: 1, registry: registry
      ).run()
      #expect(result.verdict == .inconclusive)
      guard case .untoldMessage(1, 2, _, let why) = result.doubts.first else { return nil }
      return why
    }
    #expect(try doubt(Hashed.secret("a")) == .hashed)
    #expect(try doubt(Omitted.secret("a")) == .omitted)
    #expect(try doubt(Message.load(String(repeating: "a", count: 5_000))) == .cut)
    #expect(try doubt(Other.load(1)) == .notDecoded("as Message: 'load._0' is not a text"))
  }

  @Test func `in a what-if replay answers come when they came`() throws {
    let clock = ManualClock()
    let recorder = try HistoryRecorder(at: path)
    let model = Counter(track: StateTrack("counter", Counter.State.empty) { clock.now })
    recorder.attach(to: model.track, as: "counter")
    var questions: [MessageOrigin?] = []
    for query in ["a", "b"] {
      clock.advance(by: .seconds(1))
      model.track.received(Message.load(query)) {
        questions.append(.current)
        model.state = .loading
      }
    }
    for (count, question) in zip([3, 30], questions.reversed()) {
      clock.advance(by: .seconds(1))
      model.track.received(Message.loaded("", count: count), answering: question) {
        model.state = count > 10 ? .many : .few
      }
    }
    recorder.close()
    var registry = ControllerRegistry()
    registry.register("counter") { context in
      let model = Counter()
      return context.subject(of: model.track) { (message: Message) in model.send(message) }
    }
    let result = try WhatIf(HistoryReader(path: path), session: 1, registry: registry).run()
    let moves = result.events.filter { $0.kind == EventKind.moved.rawValue }
    #expect(moves.map { result.names[$0.state] } == ["loading", "loading", "few", "many"])
  }

  @Test func `the registry may tell another message in place of one without values`() throws {
    try record { model in
      model.track.received(Omitted.secret("a")) { model.state = .few }
      model.send(.clear)
    }
    func result(_ standIn: Message) throws -> ReplayResult {
      var registry = ControllerRegistry()
      registry.register("counter") { context in
        let model = Counter()
        return context.subject(of: model.track) { (message: Message) in model.send(message) }
          .receiving("secret") {
            model.track.received(Omitted.secret("b")) {
              if case .loaded(_, let count) = standIn { model.state = count > 10 ? .many : .few }
            }
          }
      }
      return try Verification(HistoryReader(path: path), session: 1, registry: registry).run()
    }
    #expect(try result(.loaded("b", count: 1)).verdict == .reproduced)
    #expect(try result(.loaded("b", count: 11)).verdict == .diverged)
  }

  @Test func `values are told where they are recorded, and not what stands in for them`() throws {
    try record { model in messages.forEach(model.send) }
    var registry = ControllerRegistry()
    registry.register("counter") { context in
      let model = Counter()
      return context.subject(of: model.track) { (message: Message) in model.send(message) }
        .receiving("load") { model.send(.clear) }
    }
    let result = try Verification(
      HistoryReader(path: path), session: 1, registry: registry
    ).run()
    #expect(result.verdict == .reproduced)
  }

  /// The model of an earlier version of the app: cases had other names.
  final class OldCounter {
    enum State {
      case empty, busy, few
    }

    enum Message: RecordedMessage {
      case fetch(String)
      case loaded(String, count: Int)
    }

    let track = StateTrack("counter")
    var state = State.empty { didSet { track.moved(to: state) } }
  }

  private func recordOld() throws {
    let recorder = try HistoryRecorder(at: path)
    let model = OldCounter()
    recorder.attach(to: model.track, as: "counter")
    let question = model.track.received(OldCounter.Message.fetch("a")) {
      model.state = .busy
      return MessageOrigin.current
    }
    model.track.received(OldCounter.Message.loaded("a", count: 1), answering: question) {
      model.state = .few
    }
    recorder.close()
  }

  @Test func `cases that were renamed are read by the registry`() throws {
    try recordOld()
    guard case .untoldMessage(1, 2, "fetch", .notDecoded) = try replay().doubts.first else {
      Issue.record("It is \(try replay()).")
      return
    }
    var registry = ControllerRegistry()
    registry.rename("fetch", to: "load")
    registry.rename("busy", to: "loading")
    registry.register("counter") { context in
      let model = Counter()
      return context.subject(of: model.track) { (message: Message) in model.send(message) }
    }
    let reader = try HistoryReader(path: path)
    #expect(try Verification(reader, session: 1, registry: registry).run().verdict == .reproduced)
    // Searches and what-if replays read them, too.
    let scenario = try Scenario(reader, session: 1, registry: registry)
    #expect(scenario.messages.map(\.name) == ["load", "loaded"])
    #expect(try Explorer(scenario, registry: registry).run().isClean)
    let result = try WhatIf(reader, session: 1, registry: registry).run()
    #expect(result.doubts == [])
    let moves = result.events.filter { $0.kind == EventKind.moved.rawValue }
    #expect(moves.map { result.names[$0.state] } == ["loading", "few"])
  }

  @Test func `a path with equal elements is recorded and replayed`() throws {
    enum Tap: RecordedMessage {
      case pushed(Int)
      case popped
    }
    final class Navigation {
      let track = StackTrack("navigation")
      private(set) var path: [Int] = [] { didSet { track.moved(to: path) } }

      func send(_ tap: Tap) {
        track.received(tap) {
          switch tap {
          case .pushed(let page): path.append(page)
          case .popped: path.removeLast()
          }
        }
      }
    }
    let recorder = try HistoryRecorder(at: path)
    let navigation = Navigation()
    recorder.attach(to: navigation.track, as: "navigation")
    for tap in [Tap.pushed(1), .pushed(2), .pushed(1), .pushed(1), .popped, .popped] {
      navigation.send(tap)
    }
    recorder.close()
    var registry = ControllerRegistry()
    registry.register("navigation") { context in
      let navigation = Navigation()
      return context.subject(of: navigation.track) { (tap: Tap) in navigation.send(tap) }
    }
    let reader = try HistoryReader(path: path)
    let result = try Verification(reader, session: 1, registry: registry).run()
    #expect(result.verdict == .reproduced && result.matched == 6)
    // Only the third is directly above an equal one; the others come in no time and have its name.
    var options = CheckOptions()
    options.doublePush = .zero
    let findings = try HistoryCheck(reader, options: options).session(1).findings
    #expect(findings.map(\.code) == [.doublePush] && findings.map(\.visit) == [4])
  }

  @Test func `a track may move ten thousand times in a row`() throws {
    let recorder = try HistoryRecorder(at: path)
    let model = Counter()
    recorder.attach(to: model.track, as: "counter")
    for round in 0..<10_000 { model.state = round.isMultiple(of: 2) ? .few : .many }
    recorder.close()
    let reader = try HistoryReader(path: path)
    let lost = try reader.losses(session: 1).reduce(0) { $0 + $1.count }
    var moves: Int64 = 0
    let events = try reader.events(session: 1)
    while let row = try events.next() {
      if row.kind == EventKind.moved.rawValue { moves += 1 }
    }
    // Each move is stored or counted.
    #expect(moves + lost == 10_000)
  }

  @Test func `a track that was attached late is not replayed`() throws {
    let recorder = try HistoryRecorder(at: path)
    let model = Counter()
    model.send(.load("a"))
    recorder.attach(to: model.track, as: "counter")
    model.send(.clear)
    recorder.close()
    let result = try replay()
    #expect(result.verdict == .inconclusive)
    #expect(result.doubts == [.lateAttachment(controller: 1)])
  }

  @Test func `a message may be left out in a what-if replay`() throws {
    try record { model in messages.forEach(model.send) }
    var registry = ControllerRegistry()
    registry.register("counter") { context in
      let model = Counter()
      return context.subject(of: model.track) { (message: Message) in model.send(message) }
    }
    var options = WhatIf.Options()
    // The late response.
    options.edits = [.skip(8)]
    let result = try WhatIf(
      HistoryReader(path: path), session: 1, registry: registry, options: options
    ).run()
    let moves = result.events.filter { $0.kind == EventKind.moved.rawValue }
    #expect(moves.map { result.names[$0.state] } == ["loading", "loading", "few", "empty"])
    #expect(result.assumptions.isEmpty)
  }

  @Test func `the answer to a message that was left out is left out, too`() throws {
    try record { model in
      var questions: [MessageOrigin?] = []
      for query in ["a", "b"] {
        model.track.received(Message.load(query)) {
          questions.append(.current)
          model.state = .loading
        }
      }
      for (query, question) in zip(["b", "a"], [questions[1], questions[0]]) {
        model.track.received(Message.loaded(query, count: 3), answering: question) {
          model.state = .few
        }
      }
    }
    var registry = ControllerRegistry()
    registry.register("counter") { context in
      let model = Counter()
      return context.subject(of: model.track) { (message: Message) in model.send(message) }
    }
    var options = WhatIf.Options()
    options.edits = [.skip(2)]
    let result = try WhatIf(
      HistoryReader(path: path), session: 1, registry: registry, options: options
    ).run()
    let messages = result.events.filter { $0.kind == EventKind.received.rawValue }
    #expect(messages.map { result.names[$0.state] } == ["load", "loaded"])
    #expect(messages[1].cause == messages[0].seq)
    #expect(result.assumptions == [.unasked(seq: 8, name: "loaded", because: 2)])
  }
}
