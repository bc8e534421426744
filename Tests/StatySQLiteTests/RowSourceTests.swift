import StatySQLite
import Testing

/// Rows of an integer, its square, and nothing.
private final class Numbers: RowSource {
  struct Mishap: Error, CustomStringConvertible {
    let description = "the lane is torn"
  }

  var declaration = "CREATE TABLE x(n INTEGER, square INTEGER, never)"
  var count: Int
  var failsAt: Int?
  var current = 0

  init(count: Int, failsAt: Int? = nil) {
    self.count = count
    self.failsAt = failsAt
  }

  func rewind() throws {
    current = 0
    if failsAt == 0 { throw Mishap() }
  }

  func next() throws {
    current += 1
    if current == failsAt { throw Mishap() }
  }

  var isAtEnd: Bool { current >= count }

  func column(_ index: Int, into result: RowResult) {
    switch index {
    case 0: result.set(Int64(current))
    case 1: result.set(Int64(current * current))
    default: break
    }
  }
}

@Suite("Row sources")
struct RowSourceTests {
  let connection: Connection

  init() throws {
    connection = try Connection()
    try connection.execute("CREATE TABLE t(n, square, never)")
  }

  @Test("all rows and columns arrive, and what is not set is null")
  func everything() throws {
    try connection.register(Numbers(count: 3), as: "numbers")
    let fill = try connection.prepare("INSERT INTO t SELECT * FROM numbers")
    try fill.run()
    #expect(connection.changes == 3)
    let rows = try connection.prepare(
      "SELECT group_concat(n), group_concat(square), count(never) FROM t")
    #expect(try rows.step())
    #expect(try rows.string(at: 0) == "0,1,2")
    #expect(try rows.string(at: 1) == "0,1,4")
    #expect(rows.int64(at: 2) == 0)
  }

  @Test("a statement that runs again reads the source again, even if that is empty")
  func again() throws {
    let source = Numbers(count: 0)
    try connection.register(source, as: "numbers")
    let fill = try connection.prepare("INSERT INTO t SELECT * FROM numbers")
    for (count, total) in [(0, 0), (5_000, 5_000), (2, 5_002), (0, 5_002)] {
      source.count = count
      try fill.run()
      #expect(try connection.integer("SELECT count(*) FROM t") == total)
    }
  }

  @Test("an error of the source fails the statement with its message, and nothing is inserted")
  func failing() throws {
    for row in 0...2 {
      let source = Numbers(count: 3, failsAt: row)
      try connection.register(source, as: "numbers\(row)")
      let error = try sqliteError {
        try connection.execute("INSERT INTO t SELECT * FROM numbers\(row)")
      }
      #expect(error.message == "the row source failed: the lane is torn")
      #expect(try connection.integer("SELECT count(*) FROM t") == 0)
      source.failsAt = nil
      try connection.execute("INSERT INTO t SELECT * FROM numbers\(row); DELETE FROM t")
    }
  }

  @Test("a declaration that SQLite refuses is an error")
  func declaration() throws {
    let source = Numbers(count: 1)
    source.declaration = "CREATE NONSENSE"
    try connection.register(source, as: "numbers")
    let error = try sqliteError { try connection.execute("SELECT * FROM numbers") }
    #expect(error.message.hasPrefix("the row source's declaration is refused: "))
  }

  @Test("a source is read by one statement at a time")
  func oneReader() throws {
    try connection.register(Numbers(count: 3), as: "numbers")
    let first = try connection.prepare("SELECT n FROM numbers")
    #expect(try first.step())
    let second = try sqliteError { try connection.execute("SELECT n FROM numbers LIMIT 1") }
    #expect(second.message == "the row source is being read already")
    #expect(second.code == .locked)
    #expect(try first.step())
    #expect(first.int64(at: 0) == 1)
    first.reset()
    #expect(try connection.integer("SELECT max(n) FROM numbers") == 2)
    #expect(throws: SQLiteError.self) {
      try connection.execute("SELECT 1 FROM numbers a JOIN numbers b")
    }
  }

  @Test("a source is read-only, and a view in the file cannot use it")
  func directOnly() throws {
    try connection.register(Numbers(count: 3), as: "numbers")
    #expect(
      try sqliteError { try connection.execute("DELETE FROM numbers") }.message
        == "table numbers may not be modified")
    try connection.execute("CREATE VIEW v AS SELECT n FROM numbers")
    let error = try sqliteError { try connection.execute("SELECT * FROM v") }
    #expect(error.message.contains("unsafe"))
    #expect(throws: SQLiteError.self) {
      try connection.execute("CREATE VIRTUAL TABLE other USING numbers")
    }
  }

  @Test("filters, orders and row numbers are right")
  func queries() throws {
    try connection.register(Numbers(count: 10), as: "numbers")
    #expect(try connection.integer("SELECT n FROM numbers WHERE n > 3 ORDER BY n DESC") == 9)
    #expect(try connection.integer("SELECT rowid FROM numbers WHERE n = 9") == 10)
    #expect(try connection.text("SELECT hex(max(square)) FROM numbers") == "3831")
  }

  @Test("a connection keeps its source alive until it is closed")
  func lifetime() throws {
    weak var source: Numbers?
    do {
      let made = Numbers(count: 1)
      source = made
      try connection.register(made, as: "numbers")
    }
    #expect(try connection.integer("SELECT count(*) FROM numbers") == 1)
    #expect(source != nil)
    try connection.close()
    #expect(source == nil)
  }
}
