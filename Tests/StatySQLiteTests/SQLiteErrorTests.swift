import StatySQLite
import Testing

@Suite("Errors")
struct SQLiteErrorTests {
  @Test("one line has the action, SQLite's message, the file and the SQL")
  func line() {
    let error = SQLiteError(
      extendedCode: 2067, message: "UNIQUE constraint failed: t.a", doing: "stepping",
      sql: "INSERT INTO t\n  VALUES (?1)", path: "/tmp/a.db")
    #expect(
      error.description
        == "SQLite failed while stepping: UNIQUE constraint failed: t.a (CONSTRAINT, 2067); "
        + "file \"/tmp/a.db\"; SQL \"INSERT INTO t VALUES (?1)\"")
    #expect(error.code == .constraint)
    #expect(ResultCode(rawValue: 99).description == "code 99")
  }

  @Test(
    "errors of writing and errors of reading are distinguished",
    arguments: [
      // Writing: full, write, sync, growing shared memory, read-only. Reading: read, short read,
      // recovery and others.
      (13, true), (778, true), (1034, true), (4874, true), (8, true), (266, false), (522, false),
      (264, false), (11, false), (1, false),
    ])
  func writing(code: Int32, isOfWriting: Bool) {
    let error = SQLiteError(extendedCode: code, message: "", doing: "stepping")
    #expect(error.isOfWriting == isOfWriting)
  }

  @Test("an error does not contain bound values")
  func noValues() throws {
    let connection = try Connection()
    try connection.execute("CREATE TABLE t(a UNIQUE)")
    let insert = try connection.prepare("INSERT INTO t VALUES (?1)")
    try insert.bind("secret", at: 1)
    try insert.run()
    let error = try sqliteError { try insert.run() }
    #expect(!error.description.contains("secret"))
  }

  @Test("names from a hostile schema are escaped for terminals")
  func hostileNames() throws {
    let connection = try Connection()
    let name = "\u{1b}]0;owned\u{7}\u{9b}2J\n\u{202e}evil\u{200b}\u{7f}\u{2028}"
    try connection.execute("CREATE TABLE \"\(name)\"(a CHECK (a > 0))")
    let error = try sqliteError {
      try connection.execute("CREATE TABLE \"\(name)\"(a)")
    }
    let escaped =
      "\\u{1b}]0;owned\\u{7}\\u{9b}2J\\u{a}\\u{202e}evil\\u{200b}\\u{7f}\\u{2028}"
    #expect(error.message.contains(escaped))
    #expect(error.sql?.contains(name) == true)
    let printed = error.description.unicodeScalars.filter {
      $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
        || $0.properties.generalCategory == .lineSeparator
    }
    #expect(printed.isEmpty)
  }

  @Test("long SQL is cut, and ordinary text of any language is not escaped")
  func lengths() {
    let error = SQLiteError(
      extendedCode: 1, message: "près du café 東京", doing: "preparing",
      sql: String(repeating: "x", count: 300))
    #expect(error.message == "près du café 東京")
    #expect(error.description.hasSuffix("SQL \"" + String(repeating: "x", count: 200) + "…\""))
  }
}
