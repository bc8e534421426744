import Foundation
import Staty
import StatyHistory
import StatyRecorder
import Testing

/// What is kept of a history that grows.
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
    get throws { try place.query("SELECT app FROM sessions ORDER BY session") }
  }

  private var bytes: Int {
    get throws {
      try #require(
        try FileManager.default.attributesOfItem(atPath: place.path)[.size] as? Int)
    }
  }

  @Test func `sessions older than the limit go, counted from their beginning`() throws {
    try recordSession("first")
    let clocks = Clocks()
    clocks.pass(seconds: 3_500)
    try recordSession("second", Retention(age: .seconds(3_600)), clocks.clock)
    #expect(try apps == ["first", "second"])
    // Both began just now; only the clock that the limit is held against has gone on.
    clocks.pass(seconds: 200)
    try recordSession("third", Retention(age: .seconds(3_600)), clocks.clock)
    #expect(try apps == ["third"])
  }

  @Test func `sessions that came from a clock in the future stay`() throws {
    try recordSession("first")
    let clocks = Clocks()
    clocks.setWall(by: -86_400)
    try recordSession("second", Retention(age: .seconds(3_600)), clocks.clock)
    #expect(try apps == ["first", "second"])
  }

  @Test func `when the file has too many bytes the oldest sessions go, and it becomes smaller`()
    throws
  {
    for number in 1...4 { try recordSession("run \(number)", notes: 500) }
    #expect(try bytes > 4_000_000)
    let limit = 2_500_000
    try recordSession("last", Retention(bytes: limit))
    #expect(try apps == ["run 4", "last"] || apps == ["run 3", "run 4", "last"])
    #expect(try bytes <= limit)
  }

  @Test func `old sessions go while one records, and the file stays within its limit`() throws {
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
    let left = try apps
    #expect(!left.contains("run 1"))
    #expect(left.last == "long")
    #expect(try bytes <= limit)
    recorder.close()
    #expect(recorder.statistics.lost == 0)
    #expect(try bytes <= limit)
    #expect(try place.query("SELECT lost FROM sessions WHERE app = 'long'") == ["0"])
    let session = try #require(
      try HistoryReader(path: place.path).sessions().last)
    #expect(
      try ChainVerifier(HistoryReader(path: place.path)).firstDamage(session: session.id) == nil)
  }

  @Test func `the session that records is never cut`() throws {
    var options = RecorderOptions(app: "large")
    options.retention = Retention(bytes: 100_000, age: .zero, sessions: 1)
    let recorder = try HistoryRecorder(at: place.path, options: options)
    try note(300, recorder)
    recorder.close()
    #expect(try place.query("SELECT events FROM sessions") == ["300"])
    // The next one removes it, and the file is small again.
    try recordSession("next", options.retention)
    #expect(try apps == ["next"])
    #expect(try bytes < 200_000)
  }
}
