import Foundation
import Staty
import StatyHistory
import StatyReading
import Testing

@testable import StatyCommand

/// A user's SQL: it is answered, limited or refused, and the file does not change.
@Suite struct QueryTests {
  private let place: Place

  init() throws { place = try Place() }

  private func expect(
    _ arguments: [String], _ name: String, status: Int32 = 0, columns: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try place.expect(
      ["query"] + arguments, name, status: status, columns: columns, sourceLocation: sourceLocation)
  }

  @Test func `a question is answered, with parameters of every type`() throws {
    try place.write(.clean)
    try expect(
      [
        "history.sqlite", "SELECT seq, state, t_ms FROM history WHERE state = :state AND seq > $n",
        "--param", "state=alert", "--param", "n=11",
      ], "query")
    try expect(
      [
        "history.sqlite",
        "SELECT typeof(:a) a, typeof(:b) b, typeof(:c) c, typeof(:d) d, typeof(:e) e, :f f",
        "--param=a=5", "--param=b=1.5", "--param=c=null", "--param=d='5'", "--param=e=x'00ff'",
        "--param=f=it's", "--format=csv",
      ], "query-types")
    try expect(
      ["history.sqlite", "SELECT seq FROM history", "--limit=1", "--json"], "query-limit")
    try expect(["history.sqlite", "SELECT 1 WHERE 0"], "query-none")
  }

  @Test(arguments: [
    "SELECT seq FROM history", "SELECT count(*) FROM history", "SELECT 1 FROM visits, sessions",
    "SELECT max(seq) FROM history GROUP BY session",
    "SELECT * FROM violations UNION SELECT * "
      + "FROM violations", "WITH event AS (SELECT seq AS x FROM history) SELECT x FROM event",
    "EXPLAIN QUERY PLAN SELECT * FROM visits", "VALUES (1), (2)",
    "SELECT json_extract('{\"a\": 1}', '$.a')", "SELECT 1; -- and that is all",
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9) SELECT * FROM c",
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9) "
      + "SELECT count(*) FROM c",
  ])
  func `what reads the views is answered, however it is put`(sql: String) throws {
    let run = Capture(["query", try place.write(.clean), sql])
    #expect(run.status == .done, "\(run.err)")
  }

  @Test func `the views are listed with what their columns say`() throws {
    let text = Capture(["query", "--views"])
    #expect(text.status == .done)
    for column in HistoryViews.documentation {
      #expect(text.out.contains("  \(column.column) "), "\(column.view).\(column.column)")
    }
    #expect(text.out.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let narrow = Capture(["query", "--views"], width: 40)
    #expect(narrow.out.split(separator: "\n").allSatisfy { $0.count <= 40 })
    let rows = Capture(["query", "--views", "--format=ndjson"]).out.split(separator: "\n")
    #expect(rows.count == HistoryViews.documentation.count)
    #expect(Capture(["query", "--views", "x"]).status == .usage)
  }

  @Test func `what is wrong is told with its place`() throws {
    try place.write(.clean)
    try expect(["history.sqlite", "SELECT sequ FROM history"], "query-error-column", status: 64)
    try expect(
      ["history.sqlite", "  SELECT seq\nFROM history\nWHERE WHERE x"], "query-error-line",
      status: 64)
    try expect(["history.sqlite", "SELECT * FROM histry"], "query-error-view", status: 64)
    try expect(["history.sqlite", "SELECT * FROM event"], "query-error-private", status: 64)
    try expect(["history.sqlite", "SELECT 1; SELECT 2"], "query-error-several", status: 64)
    try expect(["history.sqlite", "SELECT :a"], "query-error-missing", status: 64)
    try expect(["history.sqlite", "SELECT ?"], "query-error-nameless", status: 64)
    try expect(["history.sqlite", "SELECT 1", "--param=a=1"], "query-error-unused", status: 64)
    try expect(["history.sqlite", "SELECT 1", "--param=a"], "query-error-param", status: 64)
    try expect(["history.sqlite", "SELECT '\u{1b}[31m' x y"], "query-error-hostile", status: 64)
  }

  @Test(arguments: [
    "DELETE FROM event", "INSERT INTO name VALUES (77, 'x')", "UPDATE session SET app = 'x'",
    "CREATE TABLE x(a)", "CREATE TEMP TABLE x(a)", "CREATE TEMP VIEW x AS SELECT 1",
    "DROP VIEW history", "ALTER TABLE name RENAME TO x", "ATTACH 'other.sqlite' AS other",
    "ATTACH ':memory:' AS other", "DETACH main", "PRAGMA user_version", "PRAGMA user_version = 5",
    "PRAGMA journal_mode = DELETE", "PRAGMA query_only = 0", "PRAGMA writable_schema = 1",
    "SELECT * FROM pragma_table_info('event')", "VACUUM", "VACUUM INTO 'other.sqlite'", "REINDEX",
    "ANALYZE", "BEGIN", "SAVEPOINT x", "COMMIT", "SELECT load_extension('x')",
    "EXPLAIN DELETE FROM event", "WITH x AS (SELECT 1) DELETE FROM event", "SELECT * FROM event",
    "SELECT count(*) FROM event", "SELECT 1 FROM history JOIN name", "SELECT * FROM sqlite_schema",
    "SELECT * FROM _visit", "SELECT count(*) FROM visit", "SELECT hex(fts3_tokenizer('simple'))",
    "SELECT count(*) FROM sqlite_schema", "SELECT count(*) FROM SQLITE_MASTER",
    "SELECT count(*) FROM pragma_database_list",
    "SELECT * FROM sqlite_master", "SELECT * FROM temp.sqlite_schema", "SELECT * FROM dbstat",
    "SELECT (SELECT max(seq) FROM event)", "SELECT 1; DELETE FROM event", "", " ", ";", "-- x",
    "SELECT 1;;SELECT 2", "SELECT randomblob(900000000)", "SELECT zeroblob(900000000)",
    "SELECT rowid FROM event", "WITH history AS (SELECT * FROM event) SELECT * FROM history",
    "REPLACE INTO name VALUES (1, 'x')",
  ])
  func `what is no question is refused, and the file stays as it was`(sql: String) throws {
    let path = try place.write(.clean)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let run = Capture(["query", path, "--", sql])
    #expect(run.status == .usage, "\(run.err)")
    #expect(run.out == "")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    let files = try FileManager.default.contentsOfDirectory(atPath: place.directory)
    #expect(files == ["history.sqlite"])
  }

  @Test func `of a function that is refused it is said which, and what may be used`() throws {
    let sql = "SELECT hex(fts3_tokenizer('simple'))"
    let run = Capture(["query", try place.write(.clean), sql], width: 200)
    #expect(run.status == .usage)
    #expect(
      run.err.hasSuffix(
        "the function 'fts3_tokenizer' is not allowed.\n"
          + "  It reaches beyond the history; SQLite's others may be used.\n"), "\(run.err)")
  }

  @Test func `what never ends is stopped, and what there was is shown`() throws {
    let path = try place.write(.clean)
    let numbers = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) "
    let sum = Capture(["query", path, numbers + "SELECT sum(n) FROM c", "--timeout=50ms"])
    #expect(sum.status == .inconclusive)
    #expect(sum.err.contains("stopped after 0.1 s"))
    let rows = Capture(
      ["query", path, numbers + "SELECT n FROM c WHERE n < 5 OR n < 0", "--timeout=50ms"])
    #expect(rows.status == .inconclusive)
    #expect(rows.out == "n\n1\n2\n3\n4\n")
    let written = Capture(
      ["query", path, numbers + "SELECT n FROM c", "--timeout=50ms", "-o", place.path("out")])
    #expect(written.status == .inconclusive)
    #expect(!FileManager.default.fileExists(atPath: place.path("out")))
  }

  @Test func `what is done between rows counts, and what others hold up does not`() throws {
    let path = try place.write(.clean)
    let sql = "SELECT seq FROM history"
    let query = try HistoryQuery(
      HistoryReader(path: path), sql: sql, patience: .milliseconds(20))
    Thread.sleep(forTimeInterval: 0.05)
    #expect(throws: QueryError.tookTooLong(seconds: 0.02)) { try query.next() }
    let patient = try HistoryQuery(
      HistoryReader(path: path), sql: sql, patience: .milliseconds(20), waited: { .seconds(3_600) })
    Thread.sleep(forTimeInterval: 0.05)
    #expect(try patient.next() == [.integer(1)])
  }

  @Test func `what is wrong with the file is no fault of the SQL`() throws {
    let path = try place.write(.clean, .clean)
    let own = Capture(["query", path, "SELECT json_extract(state, '$.a') FROM history"])
    #expect(own.status == .usage)
    #expect(own.err.contains("malformed JSON"), "\(own.err)")
    try place.tamper("UPDATE controller SET snapshot = '{broken}' WHERE id = 2")
    // No view reads JSON.
    for sql in ["SELECT * FROM stuck", "SELECT * FROM transitions", "SELECT * FROM history"] {
      #expect(Capture(["query", path, sql]).status == .done)
    }
    var story = Story("queue", states: ["a"])
    story.play()
    let large = try place.write(story, to: "large.sqlite")
    try place.tamper(
      "UPDATE visit SET entered = -4000000000000000000, gone = 4000000000000000000",
      "large.sqlite")
    #expect(Capture(["query", large, "SELECT * FROM dwell"]).status == .badData)
    let sum = "SELECT sum(seq + 9223372036854775000) FROM history"
    #expect(Capture(["query", large, sum]).status == .usage)
  }

  @Test func `of a damaged file what there is is shown, and the damage is noted`() throws {
    let path = try place.write(.clean)
    let arguments = ["query", path, "SELECT count(*) FROM history"]
    #expect(Capture(arguments).err == "")
    try place.tamper("UPDATE event SET t = t + 1 WHERE seq = 3")
    let run = Capture(arguments)
    #expect(run.status == .done)
    #expect(run.err.contains("session 1: the history is damaged"), "\(run.err)")
    #expect(run.err.contains("What is shown is not what was recorded."), "\(run.err)")
    #expect(Capture(arguments + ["-q"]).err == "")
  }

  @Test func `SQL may begin with a comment`() throws {
    let run = Capture([
      "query", try place.write(.clean), "-- How many?\nSELECT count(*) FROM history",
    ])
    #expect(run.status == .done, "\(run.err)")
  }

  @Test func `what needs too much memory is stopped`() throws {
    let path = try place.write(.clean)
    let run = try Binary([
      "query", path, "--timeout=5m",
      "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) "
        + "SELECT n, randomblob(100000) FROM c ORDER BY 2",
    ])
    #expect(run.status == 2)
    #expect(run.err.contains("needs more than 256 MiB of memory"))
  }
}
