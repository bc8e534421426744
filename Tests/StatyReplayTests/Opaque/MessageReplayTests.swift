import Foundation
import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
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
    let isCareful: Bool
    private var wanted = ""
    var state = State.empty { didSet { track.moved(to: state) } }

    init(isCareful: Bool = false, track: StateTrack = StateTrack("counter")) {
      (self.isCareful, self.track) = (isCareful, track)
    }

    func send(_ message: Message) {
      track.received(message) {
        switch message {
        case .load(let query):
          wanted = query
          state = .loading
        case .loaded(let query, let count):
          if isCareful, query != wanted { return }
          state = count > 10 ? .many : .few
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

  private func replay(isCareful: Bool = false) throws -> ReplayResult {
    var registry = ControllerRegistry()
    registry.register("counter") { context in
      let model = Counter(isCareful: isCareful)
      return context.subject(of: model.track) { (message: Message) in model.send(message) }
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
    let result = try replay(isCareful: true)
    #expect(result.verdict == .diverged)
    let first = try #require(result.divergences.first)
    guard first.difference.kind == .missing, let output = first.difference.recorded else {
      Issue.record("\(first.difference)")
      return
    }
    #expect(output.kind == .moved && output.visit == VisitNumber(3))
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
    #expect(result.doubts == [.unbracketed(controller: 1, seq: 4, .unreported)])
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
    static var recording: MessageRecording { .hashed }
  }

  enum Omitted: RecordedMessage {
    case secret(String)
    static var recording: MessageRecording { .omitted }
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
    #expect(try doubt(Other.load(1)) == .notDecoded("'load._0' is not a text"))
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
    #expect(result.assumptions == [.unasked(seq: 8, name: "loaded", answering: 2)])
  }
}
