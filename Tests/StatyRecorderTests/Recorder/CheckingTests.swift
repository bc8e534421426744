import Chance
import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules
import Testing

/// The findings that the recorder stores with the events.
///
/// A failure prints its seed. Set `STATY_SEED` to it to repeat the run.
@Suite struct CheckingTests {
  let place: Place
  let clocks = Clocks()

  init() throws {
    place = try Place()
  }

  @Test func `the findings in a closed file are equal to those of a check`() throws {
    var codes: Set<String> = []
    for run in 0..<12 {
      let seed = testSeed &+ UInt64(run)
      let place = try Place()
      let clocks = Clocks()
      let recorder = try HistoryRecorder(
        at: place.path, options: RecorderOptions(), clock: clocks.clock)
      try misbehave(seed, recorder, clocks)
      recorder.close()
      #expect(try place.violations() == place.checked(), "seed \(seed)")
      codes.formUnion(try place.query("SELECT DISTINCT code FROM violations"))
    }
    #expect(
      codes.isSuperset(of: [
        "exit-before-enter", "overlap", "double-enter", "undeclared-transition",
      ]), "\(codes)")
  }

  @Test func `findings can be read while the app records`() throws {
    let (recorder, probe) = try attached()
    let screen = Page()
    probe.requested(screen)
    probe.telling(.exit, screen) {}
    try recorder.flush()
    #expect(eventually { try place.violations().map(\.code) == ["exit-before-enter"] })
    recorder.close()
  }

  /// The moments at which a recorder stores how long the session has lasted.
  enum Ending: CaseIterable { case closed, suspended, shared }

  @Test(arguments: Ending.allCases)
  func `a request after which nothing happens any more is found`(ending: Ending) throws {
    let (recorder, probe) = try attached()
    probe.requested(Page())
    try recorder.flush()
    clocks.pass(seconds: 15)
    var looked = place
    switch ending {
    case .closed: recorder.close()
    case .suspended: try recorder.suspend()
    case .shared:
      looked = try Place()
      try recorder.share(to: looked.path)
    }
    #expect(try looked.violations().map(\.code) == ["never-entered"])
    #expect(try looked.violations() == looked.checked())
    let waited = try #require(
      try looked.query("SELECT waited_ms FROM stuck").first.flatMap(Double.init))
    #expect(waited >= 15_000 && waited < 20_000)
    let reader = try HistoryReader(path: looked.path)
    let (result, stored) = try #require(
      try HistoryCheck(reader).file().map { ($0, try StoredFindings($0, in: reader)) }.first)
    #expect(stored == .equal, "\(result.findings)")
    recorder.close()
  }

  @Test func `a finding that is stored twice, and a check that says it did not end, are noticed`()
    throws
  {
    for (change, words) in [
      (
        """
        INSERT INTO finding(session, seq, code, severity, controller, visit, state, detail, is_final)
        SELECT session, seq, code, severity, controller, visit, state, detail, is_final FROM finding
        """, "twice"
      ), ("UPDATE session SET judged_us = judged_us + 1", "another time"),
    ] {
      let place = try Place()
      let recorder = try HistoryRecorder(at: place.path)
      let (probe, page) = (ControllerProbe("hand-made"), Page())
      recorder.attach(to: probe, as: "own")
      probe.requested(page)
      probe.telling(.exit, page) {}
      recorder.close()
      try place.change(change)
      let reader = try HistoryReader(path: place.path)
      guard
        case .contradicted(let sentence) = try StoredFindings(
          HistoryCheck(reader).session(1), in: reader)
      else {
        Issue.record("not noticed: \(change)")
        continue
      }
      #expect(sentence.contains(words), "\(sentence)")
    }
  }

  @Test func `what is found when an app is suspended is replaced when it goes on`() throws {
    let (recorder, probe) = try attached()
    let page = Page()
    probe.requested(page)
    clocks.pass(seconds: 15)
    try recorder.suspend()
    #expect(try place.violations().map(\.code) == ["never-entered"])
    recorder.resume()
    probe.telling(.enter, page) {}
    probe.completed(.entered, page)
    recorder.close()
    #expect(try place.violations().filter { $0.code == "never-entered" } == [])
    #expect(try place.violations() == place.checked())
  }

  private func attached() throws -> (HistoryRecorder, ControllerProbe) {
    let recorder = try HistoryRecorder(
      at: place.path, options: RecorderOptions(), clock: clocks.clock)
    let probe = ControllerProbe("hand-made")
    recorder.attach(to: probe, as: "checkout")
    return (recorder, probe)
  }

  private static var routes: Routes<Step> {
    Routes {
      Start { To(.one) }
      From(.one) { To(.two) }
      From(.two) { To(.one) }
    }
  }

  private enum Step: StateKey, CaseIterable { case one, two, three }

  @Test
  func `a move without a route is found whenever it is stored, and whoever was attached before`()
    throws
  {
    let recorder = try HistoryRecorder(at: place.path)
    let first = StateTrack("first", Step.one, routes: Self.routes)
    recorder.attach(to: first, as: "first")
    try recorder.flush()
    first.moved(to: Step.three)
    try recorder.flush()
    let second = StateTrack("second", Step.one, routes: Self.routes)
    recorder.attach(to: second, as: "second")
    second.moved(to: Step.three)
    try recorder.flush()
    second.moved(to: Step.two)
    recorder.close()
    #expect(
      try place.query("SELECT controller, code, state FROM violations ORDER BY seq") == [
        "first|undeclared-transition|three", "second|undeclared-transition|three",
        "second|undeclared-transition|two",
      ])
    #expect(try place.violations() == place.checked())
  }

  @Test func `a track without messages or answers is said not to be judged by late-answer`() throws
  {
    let recorder = try HistoryRecorder(at: place.path)
    let told = StateTrack("told", Step.one)
    let untold = StateTrack("untold", Step.one)
    let unanswered = StateTrack("unanswered", Step.one)
    let answered = StateTrack("answered", Step.one)
    let answeredAtOnce = StateTrack("answered at once", Step.one)
    for track in [told, untold, unanswered, answered, answeredAtOnce] {
      recorder.attach(to: track, as: "track")
    }
    told.received("tapped") { told.moved(to: Step.two) }
    untold.moved(to: Step.two)
    for _ in 0..<2 { unanswered.received("tapped") {} }
    var question: MessageOrigin?
    answered.received("asked") { question = .current }
    answered.received("tapped") {}
    answered.received("answered", answering: question) {}
    answeredAtOnce.received("asked") { question = .current }
    answeredAtOnce.received("answered", answering: question) {}
    recorder.close()
    let silent = try HistoryCheck(HistoryReader(path: place.path)).session(1).silent
    #expect(silent.map(\.code) == [.lateAnswer, .lateAnswer, .lateAnswer])
    #expect(silent.map(\.controller) == [2, 3, 5])
    #expect(silent[1].reason.contains("'answering'"))
    #expect(silent[2].reason.contains("No recorded answer came"))
  }

  @Test func `messages with values that were too long are counted, and a recorder may want more`()
    throws
  {
    struct Page: RecordedMessage { var items: [Int] }
    for most in [4_096, 65_536] {
      let place = try Place()
      var options = RecorderOptions()
      options.mostPayloadBytes = most
      let recorder = try HistoryRecorder(at: place.path, options: options)
      let track = StateTrack("feed", Step.one)
      recorder.attach(to: track, as: "feed")
      for count in [10, 2_000, 3_000] {
        track.received(Page(items: Array(1_000..<1_000 + count))) {}
      }
      recorder.close()
      let cut = try HistoryCheck(HistoryReader(path: place.path)).session(1).cut
      #expect(cut.map(\.count) == (most == 4_096 ? [2] : []))
      #expect(cut.map(\.first) == (most == 4_096 ? [4] : []))
    }
  }

  /// Controllers of the app's own that make random calls to their states, and tracks that make random moves.
  private func misbehave(
    _ seed: UInt64, _ recorder: HistoryRecorder, _ clocks: Clocks
  ) throws {
    var random = SeededRandom(seed: seed)
    let probes = (0..<2).map { _ in ControllerProbe("hand-made") }
    for (number, probe) in probes.enumerated() { recorder.attach(to: probe, as: "own \(number)") }
    let screens = (0..<6).map { _ in Page() }
    var tracks: [StateTrack] = []
    for step in 0..<400 {
      if step % 150 == 20 {
        tracks.append(StateTrack(StateName("track \(step)"), Step.one, routes: Self.routes))
        recorder.attach(to: tracks.last!, as: "track \(step)")
      }
      if step % 3 == 0, let track = tracks.randomElement(using: &random) {
        track.moved(to: Step.allCases.randomElement(using: &random)!)
      }
      let probe = probes[Int.random(in: 0...1, using: &random)]
      let screen = screens[Int.random(in: 0...5, using: &random)]
      switch Int.random(in: 0...9, using: &random) {
      case 0...2: probe.requested(screen)
      case 3...4: probe.telling(.enter, screen) {}
      case 5...6: probe.completed(.entered, screen)
      case 7: probe.telling(.exit, screen) {}
      default: probe.completed(.exited, screen)
      }
      if step % 40 == 39 {
        clocks.pass(seconds: 2)
        try recorder.flush()
        if step % 80 == 79 { Thread.sleep(forTimeInterval: 0.005) }
      }
    }
    try recorder.flush()
  }
}

/// Whether the condition becomes true within some time.
func eventually(_ isTrue: () throws -> Bool) -> Bool {
  for _ in 0..<2_000 {
    if (try? isTrue()) == true { return true }
    Thread.sleep(forTimeInterval: 0.005)
  }
  return false
}

/// A finding in the view `violations`.
struct ViolationRow: Hashable, Comparable {
  let session: Int64
  let seq: Int64
  let code: String
  let text: String

  static func < (one: ViolationRow, other: ViolationRow) -> Bool {
    (one.session, one.seq, one.code, one.text) < (other.session, other.seq, other.code, other.text)
  }
}

extension Place {
  /// The findings in the file.
  func violations() throws -> [ViolationRow] {
    let reader = try HistoryReader(path: path)
    return try reader.sessions().flatMap { try reader.findings(session: $0.id) }.map { found in
      ViolationRow(
        session: found.session, seq: found.seq, code: found.code,
        text: "\(found.severity) \(found.controller) \(found.visit) \(found.state) \(found.detail)")
    }.sorted()
  }

  /// The findings of a check.
  func checked() throws -> [ViolationRow] {
    let reader = try HistoryReader(path: path)
    let names = try reader.names()
    return try HistoryCheck(reader).file().flatMap(\.findings).map { found in
      let text = found.detail { names[$0] }
      return ViolationRow(
        session: found.session, seq: found.seq, code: found.code.rawValue,
        text:
          "\(found.severity.rawValue) \(found.controller) \(found.visit) \(found.state) \(text)")
    }.sorted()
  }
}
