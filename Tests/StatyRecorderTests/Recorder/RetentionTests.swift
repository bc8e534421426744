import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import Testing

/// The limits of a growing history.
@Suite struct RetentionTests {
  let place: Place

  init() throws {
    place = try Place()
  }

  private func recordSession(
    _ app: String, notes: Int = 1, _ retention: Retention = Retention(),
    _ clock: RecorderClock = RecorderClock()
  ) throws {
    var options = RecorderOptions(app: app)
    options.retention = retention
    let recorder = try HistoryRecorder(at: place.path, options: options, clock: clock)
    try note(notes, recorder)
    recorder.close()
    #expect(recorder.statistics.lost == 0)
  }

  /// Each note fills about half a page.
  private func note(_ count: Int, _ recorder: HistoryRecorder) throws {
    for number in 0..<count {
      recorder.mark(String(repeating: "n", count: 2_000))
      if number % 100 == 99 { try recorder.flush() }
    }
  }

  private var apps: [String] {
    get throws { try place.query("SELECT app FROM sessions GROUP BY app ORDER BY min(session)") }
  }

  private var bytes: Int {
    get throws {
      try #require(
        try FileManager.default.attributesOfItem(atPath: place.path)[.size] as? Int)
    }
  }

  @Test func `sessions whose last event is older than the limit are deleted`() throws {
    try recordSession("first")
    let clocks = Clocks()
    clocks.pass(seconds: 3_500)
    try recordSession("second", Retention(age: .seconds(3_600)), clocks.clock)
    #expect(try apps == ["first", "second"])
    // Both sessions are new; only the writer's clock has advanced.
    clocks.pass(seconds: 200)
    try recordSession("third", Retention(age: .seconds(3_600)), clocks.clock)
    #expect(try apps == ["third"])
  }

  @Test func `one launch with a clock that is ahead deletes nothing`() throws {
    let month = Retention(age: .seconds(30 * 86_400))
    try recordSession("first", month)
    try recordSession("second", month)
    let clocks = Clocks()
    clocks.setWall(by: 31 * 86_400)
    try recordSession("ahead", month, clocks.clock)
    #expect(try apps == ["first", "second", "ahead"])
    clocks.setWall(by: -31 * 86_400)
    try recordSession("right", month, clocks.clock)
    #expect(try apps == ["first", "second", "ahead", "right"])
    // The clocks of two launches agree that a month has passed.
    try place.change("UPDATE session SET wall_us = wall_us - 40 * 86400000000 WHERE id <= 2")
    try recordSession("later", month, clocks.clock)
    #expect(try apps == ["ahead", "right", "later"])
  }

  @Test(arguments: [[], ["right", "right again"]])
  func `after a launch in 2050, one launch with a clock that is ahead deletes nothing`(
    between: [String]
  ) throws {
    let month = Retention(age: .seconds(30 * 86_400))
    try recordSession("first", month)
    try recordSession("second", month)
    let clocks = Clocks()
    clocks.setWall(by: 9_000 * 86_400)
    try recordSession("in 2050", month, clocks.clock)
    try place.change("UPDATE session SET wall_us = wall_us + 9000 * 86400000000 WHERE id = 3")
    for app in between { try recordSession(app, month) }
    #expect(try apps == ["first", "second", "in 2050"] + between)
    clocks.setWall(by: (31 - 9_000) * 86_400)
    try recordSession("ahead", month, clocks.clock)
    #expect(try apps == ["first", "second", "in 2050"] + between + ["ahead"])
  }

  @Test func `a launch before which no clock was set deletes nothing`() throws {
    let month = Retention(age: .seconds(30 * 86_400))
    for app in ["first", "second", "in 1970"] { try recordSession(app, month) }
    try place.change(
      "UPDATE session SET wall_us = CASE id WHEN 3 THEN 0 ELSE wall_us - 40 * 86400000000 END")
    try recordSession("third", month)
    #expect(try apps == ["first", "second", "in 1970", "third"])
    try recordSession("fourth", month)
    #expect(try apps == ["in 1970", "third", "fourth"])
  }

  @Test func `a session from before the clock was set is as old as the next one`() throws {
    let month = Retention(age: .seconds(30 * 86_400))
    try recordSession("in 1970", month)
    try place.change("UPDATE session SET wall_us = 0")
    for app in ["second", "third", "fourth"] { try recordSession(app, month) }
    #expect(try apps == ["in 1970", "second", "third", "fourth"])
    try place.change("UPDATE session SET wall_us = wall_us - 40 * 86400000000 WHERE id = 2")
    try recordSession("fifth", month)
    #expect(try apps == ["third", "fourth", "fifth"])
  }

  @Test func `a process that records for longer than the limit deletes what it recorded first`()
    throws
  {
    let clocks = Clocks()
    var options = RecorderOptions(app: "long")
    options.retention.age = .seconds(800)
    let recorder = try HistoryRecorder(at: place.path, options: options, clock: clocks.clock)
    for _ in 0..<20 {
      recorder.mark("look")
      try recorder.flush()
      clocks.pass(seconds: 120)
    }
    recorder.close()
    let sessions = try place.query("SELECT session FROM sessions").compactMap { Int($0) }
    #expect(try #require(sessions.first) > 1)
  }

  @Test func `sessions from a clock in the future stay`() throws {
    try recordSession("first")
    let clocks = Clocks()
    clocks.setWall(by: -86_400)
    try recordSession("second", Retention(age: .seconds(3_600)), clocks.clock)
    #expect(try apps == ["first", "second"])
  }

  @Test func `when the file is too large, the oldest sessions are deleted and it becomes smaller`()
    throws
  {
    for number in 1...4 { try recordSession("run \(number)", notes: 500) }
    #expect(try bytes > 4_000_000)
    let limit = 2_500_000
    try recordSession("last", Retention(bytes: limit))
    #expect(try apps == ["run 4", "last"] || apps == ["run 3", "run 4", "last"])
    #expect(try bytes <= limit)
  }

  @Test func `old sessions are deleted during recording, and the file stays within its limit`()
    throws
  {
    for number in 1...3 { try recordSession("run \(number)", notes: 300) }
    let clocks = Clocks()
    let limit = 2_600_000
    var options = RecorderOptions(app: "long")
    options.retention.bytes = limit
    let recorder = try HistoryRecorder(at: place.path, options: options, clock: clocks.clock)
    try recorder.flush()
    #expect(try apps == ["run 1", "run 2", "run 3", "long"])
    for _ in 0..<8 {
      try note(100, recorder)
      clocks.pass(seconds: 2)
      recorder.mark("look")
      try recorder.flush()
    }
    try recorder.flush(.durable)
    #expect(eventually { try !apps.contains("run 1") })
    let left = try apps
    #expect(left.last == "long")
    // A reader, such as this test, can prevent a checkpoint. The recorder tries again when it stores events.
    let isSmall = eventually {
      if try bytes <= limit { return true }
      clocks.pass(seconds: 2)
      recorder.mark("look")
      try recorder.flush()
      return try bytes <= limit
    }
    #expect(isSmall)
    recorder.close()
    #expect(recorder.statistics.lost == 0)
    #expect(try bytes <= limit)
    #expect(try Set(place.query("SELECT lost FROM sessions WHERE app = 'long'")) == ["0"])
    let session = try #require(
      try HistoryReader(path: place.path).sessions().last)
    #expect(
      try ChainVerifier(HistoryReader(path: place.path)).firstDamage(session: session.id) == nil)
  }

  @Test func `a process that records for a long time keeps the newest events`() throws {
    let clocks = Clocks()
    var options = RecorderOptions(app: "large")
    options.retention = Retention(bytes: 1_000_000)
    let recorder = try HistoryRecorder(at: place.path, options: options, clock: clocks.clock)
    for _ in 0..<60 {
      try note(25, recorder)
      try recorder.flush()
      clocks.pass(seconds: 2)
    }
    recorder.close()
    #expect(recorder.statistics.stored == 1_500)
    #expect(recorder.statistics.lost == 0)
    #expect(try bytes <= 1_000_000)
    let parts = try place.query("SELECT ended, lost FROM sessions ORDER BY session")
    // On a busy machine, pruning comes later and deletes more parts at once.
    #expect(parts.count > 1)
    #expect(Set(parts.dropLast()) == ["continued|0"])
    #expect(parts.last == "clean|0")
    #expect(try place.query("SELECT count(DISTINCT run) FROM sessions") == ["1"])
    #expect(try Set(place.unaccounted()) == ["0"])
    // The newest event is the last note.
    #expect(
      try place.query("SELECT count(*) FROM history WHERE kind = 'mark'").compactMap(Int.init)[0]
        > 120)
    for session in try HistoryReader(path: place.path).sessions() {
      #expect(try place.firstDamage(session: session.id) == nil)
    }
    #expect(try place.query("SELECT count(*) FROM continuation") == ["0"])
  }

  @Test func `a session with an age of an eighth of the limit is continued`() throws {
    let clocks = Clocks()
    var options = RecorderOptions(app: "old")
    options.retention = Retention(age: .seconds(8_000))
    let recorder = try HistoryRecorder(at: place.path, options: options, clock: clocks.clock)
    var marks = 0
    let isContinued = eventually {
      recorder.mark("on and on")
      marks += 1
      try recorder.flush()
      clocks.pass(seconds: 300)
      return try place.query("SELECT count(*) FROM sessions WHERE ended = 'continued'") == ["2"]
    }
    recorder.close()
    #expect(isContinued)
    // And not before, twice.
    #expect(marks > 6)
    #expect(try place.query("SELECT count(*) FROM history") == ["\(marks)"])
  }

  @Test func `threads that record while sessions are deleted lose nothing`() throws {
    for number in 1...5 { try recordSession("run \(number)", notes: 300) }
    var options = RecorderOptions(app: "busy")
    options.retention.bytes = 2_000_000
    // The writer's time passes quickly, so that it checks the limits again at once.
    let clock = RecorderClock(
      wall: { Int64(EventSource.clock) }, events: { EventSource.clock &* 1_000 })
    let recorder = try HistoryRecorder(at: place.path, options: options, clock: clock)
    let policies: [any TransitionPolicy & Sendable] = [.queue, .latest, .immediate]
    let threads = policies.enumerated().map { number, policy in
      JoinableThread {
        Self.transitions(6_000, policy, recorder, "thread \(number)")
      }
    }
    let told = threads.reduce(0) { $0 + $1.join() }
    recorder.close()
    #expect(told == 18_000)
    #expect(recorder.statistics.lost == 0)
    #expect(try apps.last == "busy")
    #expect(try Set(apps).count < 4)
    #expect(try Set(place.unaccounted()) == ["0"])
    let sessions = try HistoryReader(path: place.path).sessions().filter { $0.app == "busy" }
    for session in sessions { #expect(try place.firstDamage(session: session.id) == nil) }
    #expect(try place.violations() == place.checked())
    #expect(try place.query("SELECT * FROM violations WHERE severity = 'error'") == [])
    #expect(!sessions.isEmpty)
    for session in sessions {
      let verification = try Verification(HistoryReader(path: place.path), session: session.id)
      #expect(try verification.run().verdict != .diverged)
    }
  }

  private static func transitions(
    _ count: Int, _ policy: some TransitionPolicy, _ recorder: HistoryRecorder, _ name: String
  ) -> Int {
    let page = Page()
    let controller = StateController<Page>(policy: policy)
    recorder.attach(to: controller, as: name)
    controller.bind(to: page)
    for _ in 0..<count {
      controller.transition(to: Instant("content"))
      while recorder.statistics.queued > 10_000 { usleep(100) }
    }
    return count
  }
}
