import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import Testing

/// A process that records for a long time: its history consists of sessions that continue each other.
@Suite struct ContinuationTests {
  let place: Place
  let clocks = Clocks()

  init() throws {
    place = try Place()
  }

  private func recorder() throws -> HistoryRecorder {
    var options = RecorderOptions(app: "long")
    options.retention.age = .seconds(800_000)
    options.recordsPayloads = true
    return try HistoryRecorder(at: place.path, options: options, clock: clocks.clock)
  }

  /// Lets enough time pass that the session is continued once everything is stored.
  private func goOn(_ recorder: HistoryRecorder, sessions: Int) throws {
    let hasContinued = eventually {
      recorder.mark("later")
      try recorder.flush()
      clocks.pass(seconds: 30_000)
      return try place.query("SELECT count(*) FROM sessions") == ["\(sessions)"]
    }
    #expect(hasContinued)
  }

  private func verdict(_ session: Int64) throws -> ReplayResult.Verdict {
    try Verification(HistoryReader(path: place.path), session: session).run().verdict
  }

  @Test func `each session can be replayed by itself, with the pending and the current visit`()
    throws
  {
    let recorder = try recorder()
    let page = Page()
    let controller = StateController<Page>(policy: .queue)
    recorder.attach(to: controller, as: "screen")
    controller.bind(to: page)
    controller.transition(to: Instant("content", payload: .open("first")))
    controller.transition(to: Patient("loading"))
    controller.transition(to: Instant("alert", payload: .open("second")), priority: 3)
    let slow = StateController<Page>(policy: .queue)
    recorder.attach(to: slow, as: "slow")
    try goOn(recorder, sessions: 2)
    slow.bind(to: page)
    slow.transition(to: Instant("late"))
    try goOn(recorder, sessions: 3)
    slow.transition(to: Instant("later"))
    recorder.close()

    for session in 1...3 as ClosedRange<Int64> {
      #expect(try verdict(session) == .reproduced, "session \(session)")
      #expect(try place.firstDamage(session: session) == nil)
    }
    #expect(try Set(place.unaccounted()) == ["0"])
    #expect(try place.violations() == place.checked())
    #expect(
      try place.query(
        """
        SELECT kind, reason, visit, state, payload FROM history
        WHERE session = 2 AND controller = 'screen' ORDER BY seq
        """) == [
          "attached||||", "stood|exiting|2|loading|", "stood|waiting|3|alert|second",
          "detached|continues|||",
        ])
    #expect(
      try place.query(
        "SELECT session, state, outcome FROM visits WHERE controller = 'screen' ORDER BY session, visit"
      )
        == ["1|content|exited", "3|loading|open", "3|alert|open"])
    // Each visit counts once, with its true duration.
    #expect(
      try place.query(
        """
        SELECT state, sum(visits), max(max_ms) > 200000000 FROM dwell
        WHERE controller = 'screen' GROUP BY state ORDER BY state
        """) == ["content|1|0", "loading|1|1"])
    #expect(
      try place.query(
        "SELECT state, reason, waited_ms > 200000000 FROM stuck WHERE controller = 'screen' ORDER BY visit"
      )
        == ["loading|exiting|1", "alert|waiting|1"])
  }

  @Test
  func
    `an app's own class is recorded in both sessions, and its replay is inconclusive in the second`()
    throws
  {
    let recorder = try recorder()
    let probe = ControllerProbe("own")
    recorder.attach(to: probe, as: "own")
    let (first, second) = (Page(), Page())
    _ = probe.requested(first, named: "content")
    probe.telling(.enter, first) { probe.completed(.entered, first) }
    try goOn(recorder, sessions: 2)
    _ = probe.requested(second, named: "alert")
    probe.telling(.exit, first) { probe.completed(.exited, first) }
    probe.telling(.enter, second) { probe.completed(.entered, second) }
    recorder.close()
    #expect(
      try place.query(
        "SELECT kind, reason, state FROM history WHERE session = 2 AND controller = 'own' ORDER BY seq LIMIT 3"
      )
        == ["attached||", "stood|entered|content", "enqueued||alert"])
    #expect(try place.violations() == place.checked())
    #expect(try place.query("SELECT * FROM violations") == [])
    #expect(try place.firstDamage(session: 2) == nil)
  }

  private enum Feed { case loading, ready }

  private static func receive(_ name: StaticString, _ feed: Feed, _ track: StateTrack) {
    track.received(name) { track.moved(to: feed) }
  }

  @Test func `a track is recorded in both sessions, and its replay is inconclusive in the second`()
    throws
  {
    let recorder = try recorder()
    let track = StateTrack("feed")
    recorder.attach(to: track, as: "feed")
    Self.receive("begin", .loading, track)
    try goOn(recorder, sessions: 2)
    Self.receive("end", .ready, track)
    recorder.close()
    var registry = ControllerRegistry()
    registry.register("feed") { context in
      let track = StateTrack("feed")
      return context.subject(of: track)
        .receiving("begin") { Self.receive("begin", .loading, track) }
        .receiving("end") { Self.receive("end", .ready, track) }
    }
    let reader = try HistoryReader(path: place.path)
    let first = try Verification(reader, session: 1, registry: registry).run()
    #expect(first.verdict == .reproduced)
    // The model's state at the beginning of the second session is not recorded.
    let second = try Verification(reader, session: 2, registry: registry).run()
    #expect(second.doubts.contains(.lateAttachment(controller: 2)))
    #expect(second.divergences.isEmpty)
    #expect(
      try place.query("SELECT state, sum(visits) FROM dwell GROUP BY state ORDER BY state")
        == ["loading|1", "ready|1"])
    #expect(
      try place.query("SELECT \"from\", \"to\", sum(n) FROM transitions GROUP BY 1, 2 ORDER BY 2")
        == ["|loading|1", "loading|ready|1"])
  }

  @Test func `the last state has its payload and the time at which it entered`() throws {
    let recorder = try recorder()
    let page = Page()
    let controller = StateController<Page>(policy: .queue)
    recorder.attach(to: controller, as: "screen")
    controller.bind(to: page)
    controller.transition(to: Instant("content", payload: .open("first")))
    try recorder.flush()
    let before = Date()
    try goOn(recorder, sessions: 2)
    recorder.close()
    let next = try HistoryRecorder(at: place.path)
    let last = try #require(next.lastState(of: "screen"))
    next.close()
    #expect(last.state == "content")
    #expect(last.payload == "first")
    #expect(last.wasShown)
    // At least a day has passed for the writer since then.
    #expect(abs(last.at.timeIntervalSince(before)) < 60)
  }

  @Test func `causes and places in an earlier session become the number before the first`() throws {
    let recorder = try recorder()
    let page = Page()
    let controller = StateController<Page>(policy: .queue)
    recorder.attach(to: controller, as: "screen")
    controller.bind(to: page)
    controller.transition(
      to: Instant("content") {
        try? goOn(recorder, sessions: 2)
        controller.transition(to: Instant("next"))
      })
    recorder.close()
    let firsts = try place.query("SELECT min(seq) FROM history WHERE session = 2")
    #expect(
      try place.query(
        "SELECT count(*) > 0 FROM history WHERE session = 2 AND inside < \(firsts[0])") == ["1"])
    #expect(try place.firstDamage(session: 2) == nil)
    let result = try Verification(HistoryReader(path: place.path), session: 2).run()
    #expect(result.doubts == [.lateAttachment(controller: 2)])
  }
}
