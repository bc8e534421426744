import CSQLite
import StatyHistory
import StatyReading
import Testing

@testable import StatySQLite

/// The findings of an event, of which a file can have any number.
@Suite struct ManyFindingsTests {
  private let history: TemporaryHistory

  init() throws {
    history = try TemporaryHistory()
    try history.write(HandMadeHistory.write)
  }

  /// Adds a finding for each row of the query, which has an event, a code and a visit.
  private func insert(_ rows: String) throws {
    try history.tamper(
      """
      INSERT INTO finding(session, seq, code, severity, controller, visit, state, detail, is_final)
      SELECT 1, column1, column2, 'error', 1, column3, 1, '', 1 FROM (\(rows))
      """)
  }

  @Test func `SQLite keeps none of them to sort them`() throws {
    try insert(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      SELECT 4 AS column1, 'r' || (2000 - i) AS column2, i AS column3 FROM n
      """)
    let reader = try HistoryReader(path: history.path)
    let before = sorts(in: reader)
    var (count, after) = (0, before)
    try reader.forEachFinding(session: 1) { _ in
      count += 1
      after = sorts(in: reader)
    }
    #expect(count == 1_000)
    #expect(after == before)
  }

  @Test func `they come in the order of events, and those of one event in the order of codes`()
    throws
  {
    try insert("VALUES (4, 'overlap', 2), (4, 'late', 3), (4, 'late', 1), (2, 'stray', 1)")
    let reader = try HistoryReader(path: history.path)
    let lines = ["2 stray 1", "4 late 1", "4 late 3", "4 overlap 2"]
    #expect(try reader.findings(session: 1).map { "\($0.seq) \($0.code) \($0.visit)" } == lines)
    #expect(
      try reader.findings(session: 1, last: 2).map { "\($0.seq) \($0.code) \($0.visit)" }
        == lines.suffix(2))
  }

  /// How often SQLite has sorted for the statements of a reader.
  private func sorts(in reader: HistoryReader) -> Int {
    var sum = 0
    var statement = sqlite3_next_stmt(reader.connection.handle, nil)
    while let one = statement {
      sum += Int(sqlite3_stmt_status(one, SQLITE_STMTSTATUS_SORT, 0))
      statement = sqlite3_next_stmt(reader.connection.handle, one)
    }
    return sum
  }
}
