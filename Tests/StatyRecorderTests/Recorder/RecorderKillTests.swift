import Chance
import Foundation
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import StatyRules
import StatySQLite
import Testing

/// A process that is killed at any moment loses no event of a call that had returned.
@Suite struct RecorderKillTests {
  private static let threads = 4
  private static let rounds = kills(usual: 40)

  /// The number of kills in each test; `STATY_KILLS` in the environment changes it.
  static func kills(usual: Int) -> Int {
    ProcessInfo.processInfo.environment["STATY_KILLS"].flatMap { Int($0) } ?? usual
  }

  @Test func `after a kill, every event of a call that had returned is stored`() throws {
    var sum: UInt64 = 0
    for round in 1...Self.rounds {
      let place = try Place()
      let acknowledged = try killed(at: place)
      try bringIn(place)
      try check(place, acknowledged, round)
      sum += acknowledged.reduce(0, +)
    }
    // A process that is killed before it recorded anything has lost nothing either.
    #expect(sum > UInt64(Self.rounds))
    figure("\(Self.rounds) kills of a recorder's process, \(sum) requests acknowledged")
  }

  @Test func `no event is lost if a process is killed within 100 ms after opening`() throws {
    let rounds = Self.kills(usual: 12)
    var (sum, idle) = (UInt64(0), 0)
    for round in 1...rounds {
      let place = try Place()
      // Opening takes about a millisecond. Every second kill comes during it or soon after.
      let most: UInt32 = round % 2 == 0 ? 2_000 : 100_000
      let acknowledged = try killedSinceOpening(at: place, within: most)
      try bringIn(place)
      sum += acknowledged.reduce(0, +)
      if try place.query("SELECT ended FROM sessions") == ["clean"] {
        // The process was killed before it recorded anything.
        #expect(acknowledged.allSatisfy { $0 == 0 }, "round \(round)")
        idle += 1
      } else {
        try check(place, acknowledged, round)
      }
    }
    #expect(sum > 0)
    figure(
      "\(rounds) kills within 100 ms of opening, \(sum) requests acknowledged, \(idle) before any event"
    )
  }

  @Test(arguments: ["checkpointing", "sharing"])
  func `no event is lost if a process is killed while it is`(_ occupation: String) throws {
    let rounds = max(6, Self.rounds / 10)
    var caught = 0
    for round in 1...rounds {
      let place = try Place()
      // However slow the machine is, some kills come after it has begun.
      let acknowledged = try killed(at: place, while: occupation) {
        guard round % 2 == 0 else { return }
        #expect(eventually { try hasBegun(occupation, at: place) }, "round \(round)")
      }
      if try hasBegun(occupation, at: place) { caught += 1 }
      try bringIn(place)
      try check(place, acknowledged, round, while: occupation)
      #expect(try place.firstDamage() == nil, "round \(round)")
      // A copy gets its name when it is complete.
      for copy in ["\(place.path)-copy-0", "\(place.path)-copy-1"] {
        guard FileManager.default.fileExists(atPath: copy) else { continue }
        let reader = try HistoryReader(path: copy)
        #expect(try ChainVerifier(reader).firstDamage(session: 1) == nil, "round \(round)")
      }
    }
    #expect(caught > 0, "No kill came when it had begun.")
    figure("\(rounds) kills while it is \(occupation), \(caught) of them when it had begun")
  }

  /// Whether there is a part of a copy, or events in the file itself and not only in its log.
  private func hasBegun(_ occupation: String, at place: Place) throws -> Bool {
    if occupation == "sharing" {
      return try FileManager.default.contentsOfDirectory(atPath: place.directory)
        .contains { $0.contains("-copy-") }
    }
    guard FileManager.default.fileExists(atPath: place.path) else { return false }
    let file = try Connection(path: place.path, mode: .immutable)
    defer { try? file.close() }
    do throws(SQLiteError) {
      let rows = try file.prepare("SELECT count(*) FROM event")
      return try rows.step() && rows.int64(at: 0) > 0
    } catch {
      // During the work the file may be inconsistent; before it, it may have no table.
      return error.code == .corrupt || error.code == .notADatabase
    }
  }

  @Test func `a process killed while it migrates an older file loses none of its events`()
    throws
  {
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("StatyHistoryTests/Golden")
    var caught = 0
    let rounds = max(12, Self.rounds / 10)
    for round in 1...rounds {
      let place = try Place()
      let schema = 1 + round % (HistoryFile.schemaVersion - 1)
      try FileManager.default.copyItem(
        atPath: golden.appendingPathComponent("v\(schema).sqlite").path, toPath: place.path)
      let before = try events(place)
      let process = try started(at: place)
      // Migrating takes some milliseconds of the start of the process.
      usleep(UInt32.random(in: 0...40_000))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let version = try place.query("PRAGMA user_version")
      if version != ["\(HistoryFile.schemaVersion)"] { caught += 1 }
      #expect(Int(version[0])! >= schema, "round \(round)")
      try bringIn(place)
      #expect(try events(place).starts(with: before), "round \(round), schema \(schema)")
      #expect(try place.firstDamage() == nil, "round \(round), schema \(schema)")
    }
    #expect(caught > 0, "No kill came before the file was up to date.")
    figure("\(rounds) kills while it brings a file up to date, \(caught) of them before it was")
  }

  @Test func `a process killed while it prunes leaves each session complete, or none of it`() throws
  {
    var cut = 0
    let rounds = max(8, Self.rounds / 50)
    for round in 0..<rounds {
      let place = try Place()
      for _ in 0..<20 {
        let recorder = try HistoryRecorder(at: place.path)
        for _ in 0..<60 { recorder.mark(String(repeating: "n", count: 2_000)) }
        recorder.close()
      }
      let probe = try Probe(["prune", place.path], of: "RecorderProbe")
      #expect(probe.line() == "ready")
      // However slow the machine is, some kills come after it has begun.
      if round % 2 == 0 {
        #expect(eventually { try HistoryReader(path: place.path).sessions().first?.id != 1 })
      }
      usleep(UInt32.random(in: 0...100_000))
      probe.kill()
      try bringIn(place)
      let sessions = try HistoryReader(path: place.path).sessions()
      // Where its writer's time had passed half an hour, the killed process had begun another segment.
      let last = try #require(sessions.last?.id)
      #expect(last >= 22)
      #expect(sessions.map(\.id) == Array((last - Int64(sessions.count) + 1)...last))
      for session in sessions {
        #expect(try place.firstDamage(session: session.id) == nil)
      }
      #expect(try Set(place.unaccounted()) == ["0"])
      if sessions.count < last { cut += 1 }
    }
    #expect(cut > 0)
    figure("\(rounds) kills while it prunes, \(cut) of them when it had")
  }

  private func events(_ place: Place) throws -> [EventRow] {
    let reader = try HistoryReader(path: place.path)
    var rows: [EventRow] = []
    for session in try reader.sessions() {
      let events = try reader.events(session: session.id)
      while let row = try events.next() { rows.append(row) }
    }
    return rows
  }

  @Test func `processes killed one after the other leave every session complete`() throws {
    let place = try Place()
    var expected: [[UInt64]] = []
    for _ in 1...5 { expected.append(try killed(at: place)) }
    try bringIn(place)
    #expect(
      try place.query("SELECT ended FROM sessions ORDER BY session")
        == Array(repeating: "killed", count: 5) + ["clean"])
    for (session, acknowledged) in expected.enumerated() {
      for (thread, count) in acknowledged.enumerated() where count > 0 {
        let stored = try place.query(
          """
          SELECT count(*) FROM history
          WHERE session = \(session + 1) AND controller = 'thread \(thread)' AND kind = 'enqueued'
          """)
        #expect(UInt64(stored[0])! >= count)
      }
    }
  }

  /// Lets a process record for a while and kills it.
  ///
  /// - Returns: for each of its threads, the number of requests whose calls had returned.
  private func killed(
    at place: Place, while occupation: String? = nil, after wait: () -> Void = {}
  ) throws -> [UInt64] {
    let file = place.directory + "/acknowledged-\(UUID().uuidString)"
    let process = try started(at: place, file, [occupation].compactMap(\.self))
    _ = (process.standardOutput as! Pipe).fileHandleForReading.availableData
    wait()
    usleep(UInt32.random(in: 0...60_000))
    return try killed(process, acknowledging: file)
  }

  /// Lets a process open a recorder, and kills it at most this many microseconds later.
  ///
  /// - Returns: for each of its threads, the number of requests whose calls had returned.
  private func killedSinceOpening(at place: Place, within most: UInt32) throws -> [UInt64] {
    let file = place.directory + "/acknowledged"
    let process = try started(at: place, file)
    // Opening creates the ring first.
    while process.isRunning, access(place.path + "-ring", F_OK) != 0 { usleep(50) }
    usleep(UInt32.random(in: 0...most))
    return try killed(process, acknowledging: file)
  }

  private func killed(_ process: Process, acknowledging file: String) throws -> [UInt64] {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    return bytes.withUnsafeBytes { bytes in
      (0..<Self.threads).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
    }
  }

  /// Opens the history again, which recovers the ring of the killed process.
  ///
  /// With a small ring, because nothing more is recorded.
  private func bringIn(_ place: Place) throws {
    var options = RecorderOptions()
    options.eventsPerThread = 64
    options.retention = Retention()
    try HistoryRecorder(at: place.path, options: options).close()
  }

  private func started(
    at place: Place, _ file: String? = nil, _ rest: [String] = []
  ) throws -> Process {
    let process = Process()
    process.executableURL = Probe.executable("RecorderProbe")
    process.arguments =
      ["record", place.path, file ?? place.directory + "/acknowledged", "\(Self.threads)"] + rest
    process.standardOutput = Pipe()
    try process.run()
    return process
  }

  private func check(
    _ place: Place, _ acknowledged: [UInt64], _ round: Int, while occupation: String? = nil
  ) throws {
    for (thread, count) in acknowledged.enumerated() {
      let stored = try place.query(
        """
        SELECT count(*) FROM history
        WHERE session = 1 AND controller = 'thread \(thread)' AND kind = 'enqueued'
          AND visit <= \(count) AND state = 'asked'
        """)
      #expect(stored == ["\(count)"], "round \(round), thread \(thread)")
      // When the call returns, the controller has also entered the state.
      if !thread.isMultiple(of: 2) {
        let entered = try place.query(
          """
          SELECT count(*) FROM visits
          WHERE session = 1 AND controller = 'thread \(thread)' AND visit <= \(count)
            AND entered_ms IS NOT NULL AND (visit = \(count) OR exited_ms IS NOT NULL)
          """)
        #expect(entered == ["\(count)"], "round \(round), thread \(thread)")
        let bare = try place.query(
          """
          SELECT count(*) FROM history
          WHERE session = 1 AND controller = 'thread \(thread)' AND kind = 'enqueued'
            AND payload IS NULL
          """)
        #expect(bare == ["0"], "round \(round), thread \(thread)")
      }
    }
    // One of the occupations sometimes suspends the recorder.
    let ended = try place.query("SELECT ended FROM sessions WHERE session = 1")
    #expect(ended == ["killed"] || ended == ["suspended"] && occupation == "checkpointing")
    // Each observed event is stored or lost; the three counts are independent.
    #expect(
      try place.query(
        """
        SELECT s.observed - s.stored
          - (SELECT coalesce(sum(count), 0) FROM losses WHERE session = 1)
        FROM session s WHERE s.id = 1
        """) == ["0"], "round \(round)")
    // At most one unfinished event in each thread: it got a number, but was not put before the kill.
    let lost = try place.query("SELECT lost FROM sessions WHERE session = 1")
    #expect(Int(lost[0])! <= Self.threads, "round \(round)")
    let reasons = try place.query("SELECT DISTINCT reason FROM losses WHERE session = 1")
    #expect(reasons.filter { $0 != "unfinished" } == [], "round \(round)")
    // The stored findings are those of a check now. A suspended session may be unchecked.
    let reader = try HistoryReader(path: place.path)
    let findings = try StoredFindings(HistoryCheck(reader).session(1), in: reader)
    #expect(
      findings == .equal || findings == .unfinished && occupation != nil, "round \(round)")
  }
}
