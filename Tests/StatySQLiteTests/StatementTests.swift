import Testing

@testable import StatySQLite

@Suite("Statements")
struct StatementTests {
  let connection: Connection

  init() throws {
    connection = try Connection()
  }

  @Test("values are read as they were bound, each with its kind")
  func roundTrip() throws {
    let statement = try connection.prepare("SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7")
    try statement.bind(Int64.min, at: 1)
    try statement.bind(-0.5, at: 2)
    try statement.bind("añ☃", at: 3)
    try statement.bind(blob: [0, 255, 7], at: 4)
    try statement.bindNull(at: 5)
    try statement.bind("", at: 6)
    try statement.bind(blob: [], at: 7)
    #expect(try statement.step())
    let kinds = (0..<8).map { statement.kind(at: $0) }
    #expect(kinds == [.integer, .real, .text, .blob, .null, .text, .blob, .null])
    #expect(statement.int64(at: 0) == .min)
    #expect(statement.double(at: 1) == -0.5)
    #expect(try statement.string(at: 2) == "añ☃")
    #expect(try statement.blob(at: 3) == [0, 255, 7])
    #expect(try statement.string(at: 4) == nil)
    #expect(try statement.blob(at: 4) == nil)
    #expect(try statement.string(at: 5) == "")
    #expect(try statement.blob(at: 6) == [])
    #expect(try statement.withText(at: 4) { $0 == nil })
    #expect(try statement.step() == false)
  }

  @Test("statements in constant use stay compiled, with any number of others")
  func inUse() throws {
    let wanted = (0..<20).map { "SELECT \($0)" }
    for sql in wanted { _ = try connection.prepare(sql).step() }
    let places = wanted.map { connection.statements[$0] }
    #expect(!places.contains { $0 == nil })
    for other in 1_000..<3_000 {
      _ = try connection.prepare("SELECT \(other)").step()
      for sql in wanted { _ = try connection.prepare(sql).step() }
    }
    for (sql, place) in zip(wanted, places) { #expect(connection.statements[sql] === place) }
  }

  @Test("NUL inside a text is stored, counted and read back")
  func nulInText() throws {
    let statement = try connection.prepare("SELECT ?1, length(CAST(?1 AS BLOB))")
    try statement.bind("a\0b", at: 1)
    #expect(try statement.step())
    #expect(try statement.string(at: 0) == "a\0b")
    #expect(statement.int64(at: 1) == 3)
  }

  @Test("bytes that are not UTF-8 are repaired in a string and unchanged in withText")
  func invalidUTF8() throws {
    let statement = try connection.prepare("SELECT CAST(x'61ff62' AS TEXT)")
    #expect(try statement.step())
    #expect(try statement.string(at: 0) == "a\u{fffd}b")
    #expect(try statement.withText(at: 0) { $0.map(Array.init) } == [0x61, 0xff, 0x62])
  }

  @Test("a statement has its names, counts and kinds")
  func description() throws {
    let statement = try connection.prepare("SELECT :visit AS a, @b AS b")
    #expect(statement.columnNames == ["a", "b"])
    #expect(statement.columnCount == 2)
    #expect(statement.parameterCount == 2)
    #expect(statement.isReadOnly)
    #expect(statement.sql == "SELECT :visit AS a, @b AS b")
    #expect(try connection.prepare("CREATE TABLE t(a)").isReadOnly == false)
  }

  @Test("binding to a running statement or a missing parameter is refused")
  func wrongBinding() throws {
    let statement = try connection.prepare("SELECT ?1 UNION ALL SELECT 2")
    for index in [0, 2, -1, Int.max] {
      #expect(try sqliteError { try statement.bind(1, at: index) }.code == .range)
    }
    #expect(try statement.step())
    #expect(try sqliteError { try statement.bind(1, at: 1) }.code == .misuse)
    statement.reset()
    try statement.bind(1, at: 1)
  }

  @Test("preparing the SQL of a running statement returns a second, independent one")
  func reentrant() throws {
    let sql = "SELECT value FROM json_each('[1,2,3]') WHERE value >= ?1"
    var seen: [[Int64]] = []
    func descend(from first: Int64) throws {
      let rows = try connection.prepare(sql)
      try rows.bind(first, at: 1)
      while try rows.step() {
        seen.append([first, rows.int64(at: 0)])
        if first < 3 { try descend(from: first + 1) }
      }
    }
    try descend(from: 2)
    #expect(seen == [[2, 2], [3, 3], [2, 3], [3, 3]])
  }

  @Test("a statement that is released while it runs holds no lock and loses its values")
  func givenBack() throws {
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)")
    do {
      let rows = try connection.prepare("SELECT a, ?1 FROM t")
      try rows.bind("secret", at: 1)
      #expect(try rows.step())
    }
    // Fails with "locked" while any statement reads the table.
    try connection.execute("DROP TABLE t; CREATE TABLE t(a); INSERT INTO t VALUES (5)")
    let again = try connection.prepare("SELECT a, ?1 FROM t")
    #expect(try again.step())
    #expect(again.int64(at: 0) == 5)
    #expect(again.isNull(at: 1))
  }

  @Test("a statement in use stays valid while more are prepared than the cache holds")
  func usedThroughout() throws {
    do {
      let used = try connection.prepare("SELECT 1 UNION ALL SELECT 2")
      #expect(try used.step())
      for number in 0..<200 { _ = try connection.integer("SELECT \(number)") }
      let twin = try connection.prepare("SELECT 1 UNION ALL SELECT 2")
      #expect(try twin.step() && used.step())
      #expect(twin.int64(at: 0) == 1 && used.int64(at: 0) == 2)
    }
    // Closing fails while a statement exists.
    try connection.close()
  }

  @Test("more statements than the cache holds still work")
  func manyStatements() throws {
    for round in 0..<2 {
      for number in 0..<200 {
        #expect(try connection.integer("SELECT \(number) + \(round)") == Int64(number + round))
      }
    }
    try connection.close()
  }

  @Test("prepare takes exactly one statement, with comments and space around it")
  func oneStatement() throws {
    #expect(try connection.integer("-- why\n SELECT 1; -- done\n /* or so */ ;; ") == 1)
    // The second round shows that a refused statement is not cached.
    for _ in 0..<2 {
      let two = try sqliteError { _ = try connection.prepare("SELECT 1; SELECT 2") }
      #expect(two.message == "there is more than one statement")
    }
    for none in ["", " ", ";", "-- only a comment"] {
      let error = try sqliteError { _ = try connection.prepare(none) }
      #expect(error.message == "there is no statement")
    }
    let nul = try sqliteError { _ = try connection.prepare("SELECT 1\0; DROP TABLE t") }
    #expect(nul.message == "the SQL contains NUL")
  }

  @Test("a script runs in order, and the statements before a failure stay")
  func script() throws {
    try connection.execute("")
    let error = try sqliteError {
      try connection.execute(
        """
        CREATE TABLE t(a UNIQUE); -- ;
        INSERT INTO t VALUES (1), (2); SELECT * FROM t;
        INSERT INTO t VALUES (2); INSERT INTO t VALUES (3)
        """)
    }
    #expect(error.code == .constraint)
    #expect(error.extendedCode == 2067)
    #expect(error.sql == "INSERT INTO t VALUES (2);")
    #expect(try connection.integer("SELECT count(*) FROM t") == 2)
    try connection.execute("UPDATE t SET a = a + 10; SELECT 1")
    #expect(connection.changes == 2)
    #expect(connection.totalChanges == 4)
    #expect(connection.lastInsertRowID == 2)
  }

  @Test("run steps to the end and resets the statement")
  func run() throws {
    try connection.execute("CREATE TABLE t(a)")
    let insert = try connection.prepare("INSERT INTO t VALUES (?1) RETURNING a")
    for value in 1...3 {
      try insert.bind(Int64(value), at: 1)
      try insert.run()
    }
    #expect(try connection.integer("SELECT sum(a) FROM t") == 6)
    // Fails with "misuse" while the statement runs.
    try insert.bind(4, at: 1)
  }

  @Test("after a failure and a reset, a statement works again")
  func afterFailure() throws {
    try connection.execute("CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES (1)")
    let insert = try connection.prepare("INSERT INTO t VALUES (?1)")
    try insert.bind(1, at: 1)
    #expect(try sqliteError { try insert.run() }.code == .constraint)
    try insert.bind(2, at: 1)
    try insert.run()
    #expect(try connection.integer("SELECT count(*) FROM t") == 2)
  }
}
