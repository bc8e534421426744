import StatyHistory
import StatyReading
import Testing

/// Numbers that are too large to compute with are refused when a file is opened.
@Suite struct NumberBoundsTests {
  @Test(arguments: [
    "UPDATE session SET observed = 9223372036854775807", "UPDATE session SET observed = -1",
    "UPDATE session SET stored = 9223372036854775807",
    "UPDATE session SET first_seq = -9223372036854775807 - 1",
    "UPDATE session SET first_seq = 9223372036854775805",
    "UPDATE session SET last_seq = 9223372036854775807",
    "UPDATE event SET seq = 9223372036854775807 WHERE seq = (SELECT max(seq) FROM event)",
    "UPDATE event SET seq = -1 WHERE seq = 1",
    "INSERT INTO detail(seq) VALUES (9223372036854775807)",
    "INSERT INTO loss VALUES (90, 9223372036854775807, 1, 'far')",
    "INSERT INTO loss VALUES (90, 89, 1, 'back')", "INSERT INTO loss VALUES (90, 91, -1, 'less')",
    """
    INSERT INTO loss VALUES (90, 90, 4611686018427387903, 'one'),
      (91, 91, 4611686018427387903, 'other')
    """,
    "UPDATE chain SET last_seq = 9223372036854775807",
    // Sessions that have each other's numbers.
    """
    INSERT INTO session(uuid, app, app_version, os, pid, wall_us, first_seq)
    VALUES ('another', '', '', '', 1, 0, 3)
    """,
    """
    INSERT INTO session(uuid, app, app_version, os, pid, wall_us, first_seq, last_seq)
    VALUES ('another', '', '', '', 1, 0, 0, 1)
    """,
  ])
  func `who has one that no recorder comes to is refused at every door`(_ sql: String) throws {
    let history = try TemporaryHistory()
    try history.write(SmallHistory.write)
    try history.tamper("PRAGMA foreign_keys = 0; " + sql)
    let path = history.path
    let doors: [() throws -> Void] = [
      { _ = try HistoryReader(receivedAt: path) }, { _ = try HistoryReader(liveAt: path) },
      { _ = try HistoryReader(path: path) }, { _ = try HistoryWriter(path: path) },
    ]
    for (number, door) in doors.enumerated() {
      let error = #expect(throws: HistoryError.self, "door \(number)") { try door() }
      guard case .damaged = error else {
        Issue.record("door \(number): \(error.map { "\($0)" } ?? "nothing")")
        continue
      }
    }
  }
}
