import CSQLite
import Foundation
import StatySQLite
import Testing

@Suite("Configuration")
struct ConfigurationTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func writer(_ settings: WritingSettings = WritingSettings()) throws -> Connection {
    let connection = try Connection(path: directory.file("a.db"), mode: .readWriteCreate)
    try connection.configureForWriting(settings)
    return connection
  }

  @Test("a writer sets everything that a build of SQLite may change")
  func writing() throws {
    let connection = try writer()
    let expected = [
      "journal_mode": "wal", "synchronous": "1", "wal_autocheckpoint": "0", "page_size": "4096",
      "journal_size_limit": "4194304", "trusted_schema": "0", "cell_size_check": "1",
      "mmap_size": "0", "secure_delete": "1", "temp_store": "2", "locking_mode": "normal",
    ]
    for (name, value) in expected {
      #expect(try connection.pragma(name) == value, "\(name)")
    }
  }

  @Test("a database that cannot have the settings is refused with its name")
  func refused() throws {
    try Connection(path: directory.file("a.db"), mode: .readWriteCreate)
      .execute("PRAGMA page_size = 8192; CREATE TABLE t(a)")
    #expect(
      try sqliteError { _ = try writer() }.message == "page_size is 8192 where 4096 was asked for")
    let inMemory = try sqliteError { try Connection().configureForWriting() }
    #expect(inMemory.message == "journal_mode is memory where wal was asked for")
  }

  @Test("an exclusive connection has no shared-memory file, and others are refused")
  func exclusive() throws {
    var settings = WritingSettings()
    settings.isExclusive = true
    let connection = try writer(settings)
    try connection.execute("CREATE TABLE t(a)")
    #expect(try directory.names == ["a.db", "a.db-wal"])
    let other = try Connection(path: directory.file("a.db"), mode: .readOnly)
    #expect(try sqliteError { _ = try other.integer("SELECT count(*) FROM t") }.code == .busy)
  }

  @Test("with DEFENSIVE on, the schema and shadow tables cannot be written")
  func defensive() throws {
    let connection = try writer()
    try connection.execute(
      "CREATE TABLE t(a); CREATE VIRTUAL TABLE f USING fts5(x); PRAGMA writable_schema = 1")
    for sql in ["DELETE FROM sqlite_schema", "DELETE FROM f_data"] {
      let error = try sqliteError { try connection.execute(sql) }
      #expect(error.message.hasSuffix("may not be modified"))
    }
    // Without the setting, the same SQL works.
    let plain = try Connection()
    try plain.execute(
      """
      CREATE TABLE t(a); CREATE VIRTUAL TABLE f USING fts5(x); PRAGMA writable_schema = 1;
      DELETE FROM f_data; DELETE FROM sqlite_schema
      """)
  }

  @Test("the schema of a file cannot call functions with side effects")
  func untrustedSchema() throws {
    try Connection(path: directory.file("b.db"), mode: .readWriteCreate).execute(
      """
      CREATE VIRTUAL TABLE r USING rtree(id, low, high);
      CREATE VIEW v AS SELECT rtreecheck('r') = 'ok' AS a;
      CREATE VIEW w AS SELECT 3 AS a
      """)
    let trusting = try Connection(path: directory.file("b.db"), mode: .readOnly)
    #expect(try trusting.integer("SELECT a FROM v") == 1)
    let reader = try Connection(path: directory.file("b.db"), mode: .readOnly)
    try reader.configureForReading()
    let error = try sqliteError { _ = try reader.integer("SELECT a FROM v") }
    #expect(error.message.contains("unsafe"))
    #expect(try reader.integer("SELECT a FROM w") == 3)
  }

  @Test("a reader cannot write, even on a connection for writing")
  func reading() throws {
    let connection = try Connection(path: directory.file("a.db"), mode: .readWriteCreate)
    try connection.execute("CREATE TABLE t(a)")
    try connection.configureForReading()
    #expect(
      try sqliteError { try connection.execute("INSERT INTO t VALUES (1)") }.code == .readOnly)
    for (name, value) in [
      "query_only": "1", "trusted_schema": "0", "cell_size_check": "1", "mmap_size": "0",
      "temp_store": "2",
    ] {
      #expect(try connection.pragma(name) == value, "\(name)")
    }
    #expect(try sqliteError { try connection.execute("ATTACH '' AS other") }.code == .error)
  }

  @Test("triggers of a file do not run")
  func triggers() throws {
    let connection = try Connection()
    try connection.execute(
      """
      CREATE TABLE t(a); CREATE TABLE log(a);
      CREATE TRIGGER spy AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END;
      INSERT INTO t VALUES (1)
      """)
    try connection.configureForReading()
    try connection.setPragmaVerified("query_only", to: "0")
    try connection.execute("INSERT INTO t VALUES (2)")
    #expect(try connection.integer("SELECT count(*) FROM log") == 1)
  }

  @Test("a value over 4 MB is refused, computed or stored")
  func lengthLimit() throws {
    try Connection(path: directory.file("big.db"), mode: .readWriteCreate)
      .execute("CREATE TABLE t(a); INSERT INTO t VALUES (zeroblob(5 << 20)), (zeroblob(3 << 20))")
    let reader = try Connection(path: directory.file("big.db"), mode: .readOnly)
    try reader.configureForReading()
    #expect(
      try sqliteError { _ = try reader.integer("SELECT length(randomblob(5 << 20))") }.code
        == .tooBig)
    let rows = try reader.prepare("SELECT a FROM t ORDER BY rowid DESC")
    #expect(try rows.step())
    #expect(try rows.blob(at: 0)?.count == 3 << 20)
    #expect(try sqliteError { _ = try rows.step() }.code == .tooBig)
  }

  @Test("limits are applied, and cannot exceed those of the build")
  func limits() throws {
    let connection = try Connection()
    try connection.configureForReading()
    for (limit, value) in ReadingLimits.values {
      #expect(connection.limit(limit) == value, "\(limit)")
    }
    #expect(Set(ReadingLimits.values.keys) == Set(Limit.allCases))
    #expect(Limit.workerThreads.rawValue == SQLITE_LIMIT_WORKER_THREADS)
    connection.setLimit(.length, to: .max)
    #expect(connection.limit(.length) < Int(Int32.max))
    connection.setLimit(.expressionDepth, to: 3)
    #expect(try sqliteError { try connection.execute("SELECT 1+1+1+1+1") }.code == .error)
  }

  @Test("a pragma's name and value cannot contain SQL")
  func pragmaNames() async {
    await #expect(processExitsWith: .failure) {
      _ = try Connection().pragma("user_version; DROP TABLE t")
    }
    await #expect(processExitsWith: .failure) {
      try Connection().setPragma("user_version", to: "1; DROP TABLE t")
    }
  }

  @Test("pragmas are set, read and verified")
  func pragmas() throws {
    let connection = try Connection()
    try connection.setPragma("user_version", to: "-5")
    #expect(try connection.integerPragma("user_version") == -5)
    #expect(try connection.pragma("no_such_pragma") == nil)
    #expect(try connection.setPragma("journal_mode", to: "off") == "off")
    let error = try sqliteError { try connection.setPragmaVerified("synchronous", to: "9") }
    #expect(error.message.hasPrefix("synchronous is "))
  }
}
