import Foundation
import StatySQLite
import Testing

@Suite("Migrations")
struct MigratorTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
  }

  private static let identity: Int32 = 0x5374_7479
  private static let first = Migration(
    number: 1, name: "things", sql: "CREATE TABLE thing(a); INSERT INTO thing VALUES (1);")
  private static let second = Migration(
    number: 2, name: "more", sql: "ALTER TABLE thing ADD COLUMN b; UPDATE thing SET b = 2")

  private func migrator(_ migrations: Migration...) -> Migrator {
    Migrator(applicationID: Self.identity, migrations: migrations)
  }

  /// Makes a database without any of the settings of this package.
  private func plain(_ sql: String) throws {
    let connection = try Connection(path: path, mode: .readWriteCreate)
    try connection.execute(sql)
    try connection.close()
  }

  private func refusal(_ migrator: Migrator) throws -> MigrationError {
    try #require(throws: MigrationError.self) { _ = try migrator.open(path: path) }
  }

  @Test("a new database gets all migrations, the marks and the record")
  func new() throws {
    let connection = try migrator(Self.first, Self.second).open(path: path)
    #expect(try connection.integerPragma("application_id") == Int64(Self.identity))
    #expect(try connection.integerPragma("user_version") == 2)
    #expect(try connection.integer("SELECT b FROM thing") == 2)
    #expect(
      try connection.text("SELECT group_concat(number || name || checksum) FROM applied_migration")
        == "1things\(Self.first.checksum),2more\(Self.second.checksum)")
    #expect(
      try connection.integer(
        "SELECT count(*) FROM applied_migration WHERE abs(julianday(applied_at) - julianday()) < 1")
        == 2)
    #expect(try connection.pragma("journal_mode") == "wal")
  }

  @Test("only missing migrations are applied, and none a second time")
  func incremental() throws {
    let connection = try migrator(Self.first).open(path: path)
    let newer = migrator(Self.first, Self.second)
    #expect(try newer.pending(connection) == [Self.second])
    #expect(try newer.migrate(connection) == [2])
    #expect(try newer.migrate(connection) == [])
    #expect(try newer.pending(connection) == [])
    let changes = connection.totalChanges
    _ = try newer.migrate(connection)
    #expect(connection.totalChanges == changes)
  }

  @Test("a failing migration is undone, those before it stay, and it can be corrected")
  func failing() throws {
    let broken = Migration(
      number: 2, name: "broken", sql: "CREATE TABLE other(a); INSERT INTO nowhere VALUES (1)")
    let error = try refusal(migrator(Self.first, broken))
    guard case .failed(number: 2, name: "broken", let cause) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(cause.message == "no such table: nowhere")
    let connection = try migrator(Self.first, Self.second).open(path: path)
    #expect(try connection.integerPragma("user_version") == 2)
    #expect(
      try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'other'") == 0)
  }

  @Test("a failing first migration leaves an empty, unmarked database")
  func failingFirst() throws {
    _ = try refusal(migrator(Migration(number: 1, name: "broken", sql: "CREATE TABLE a(a); BEGIN")))
    let connection = try Connection(path: path, mode: .readOnly)
    #expect(try connection.integerPragma("application_id") == 0)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 0)
  }

  @Test("a migration that ends its transaction is reported")
  func endsTransaction() throws {
    let error = try refusal(migrator(Migration(number: 1, name: "bad", sql: "COMMIT")))
    #expect(error == .damagedRecord("migration 1 ended the transaction it ran in"))
  }

  @Test("a newer database is refused with its number, and its files do not change")
  func newer() throws {
    let third = Migration(number: 3, name: "third", sql: "CREATE TABLE third(a)")
    let writer = try migrator(Self.first, Self.second, third).open(path: path)
    try writer.execute("INSERT INTO thing VALUES (5, 5)")
    let before = try (directory.bytes("a.db"), directory.bytes("a.db-wal"))
    #expect(before.1.count > 0)
    let error = try refusal(migrator(Self.first))
    #expect(error == .newer(found: 3, known: 1))
    #expect(
      error.description == "the database has schema 3, and this version knows schemas up to 1: "
        + "use a newer version")
    #expect(try directory.bytes("a.db") == before.0)
    #expect(try directory.bytes("a.db-wal") == before.1)
    try writer.close()
    let closed = try directory.bytes("a.db")
    #expect(try refusal(migrator(Self.first)) == .newer(found: 3, known: 1))
    #expect(try directory.bytes("a.db") == closed)
    #expect(try !directory.names.contains("a.db-journal"))
  }

  @Test("a newer database with the log of a dead process is refused, and both files stay")
  func newerAfterCrash() throws {
    let writer = try migrator(Self.first, Self.second).open(path: path)
    try writer.execute("INSERT INTO thing VALUES (5, 5)")
    let remains = try TemporaryDirectory()
    for name in ["a.db", "a.db-wal"] {
      try remains.write(try directory.bytes(name), to: name)
    }
    let log = try remains.bytes("a.db-wal")
    let file = try remains.bytes("a.db")
    #expect(throws: MigrationError.newer(found: 2, known: 1)) {
      _ = try migrator(Self.first).open(path: remains.file("a.db"))
    }
    #expect(try remains.bytes("a.db-wal") == log)
    #expect(try remains.bytes("a.db") == file)
  }

  @Test("a database of another application, or of none, is refused and does not change")
  func foreign() throws {
    try plain("PRAGMA application_id = 7; CREATE TABLE theirs(a)")
    var before = try directory.bytes("a.db")
    #expect(
      try refusal(migrator(Self.first)) == .otherApplication(found: 7, expected: Self.identity))
    #expect(try directory.bytes("a.db") == before)
    try plain("PRAGMA application_id = 0")
    before = try directory.bytes("a.db")
    #expect(try refusal(migrator(Self.first)) == .unmarked)
    #expect(try directory.bytes("a.db") == before)
    try plain("DROP TABLE theirs; PRAGMA user_version = 3")
    #expect(try refusal(migrator(Self.first)) == .unmarked)
  }

  @Test("an empty file is a new database")
  func emptyFile() throws {
    try directory.write(Data(), to: "a.db")
    #expect(try migrator(Self.first).open(path: path).integer("SELECT a FROM thing") == 1)
  }

  @Test("an applied migration with different SQL or another name is refused")
  func changed() throws {
    try migrator(Self.first, Self.second).open(path: path).close()
    let edited = Migration(number: 1, name: "things", sql: Self.first.sql + " ")
    #expect(
      try refusal(migrator(edited, Self.second))
        == .changed(number: 1, name: "things", recordedName: "things"))
    let renamed = Migration(number: 2, name: "less", sql: Self.second.sql)
    #expect(
      try refusal(migrator(Self.first, renamed))
        == .changed(number: 2, name: "less", recordedName: "more"))
  }

  @Test(
    "a record that does not fit the database is reported as damage",
    arguments: [
      ("DELETE FROM applied_migration WHERE number = 1", "migration 1 is not in it"),
      ("DELETE FROM applied_migration WHERE number = 2", "migration 2 is not in it"),
      ("PRAGMA user_version = 1", "it has more migrations than user_version says"),
      ("PRAGMA user_version = 0", "user_version is 0"),
      ("PRAGMA user_version = -1", "user_version is -1"),
      ("DROP TABLE applied_migration", "there is no table applied_migration"),
    ])
  func damaged(sql: String, detail: String) throws {
    try migrator(Self.first, Self.second).open(path: path).close()
    try plain(sql)
    #expect(try refusal(migrator(Self.first, Self.second)) == .damagedRecord(detail))
  }

  @Test("a file that is not a database is refused with SQLite's error")
  func noDatabase() throws {
    let junk = Data(repeating: 0x42, count: 4_096)
    try directory.write(junk, to: "a.db")
    guard case .sqlite(let error) = try refusal(migrator(Self.first)) else {
      Issue.record("another error")
      return
    }
    #expect(error.code == .notADatabase)
    #expect(try directory.bytes("a.db") == junk)
    #expect(try directory.names == ["a.db"])
  }

  @Test("processes that migrate at the same time apply each migration once")
  func concurrently() async throws {
    let path = path
    let start = Date.now.timeIntervalSince1970 + 0.4
    async let one: Void = Self.race(path, start)
    async let two: Void = Self.race(path, start)
    async let three: Void = Self.race(path, start)
    _ = await (one, two, three)
    let connection = try Connection(path: path, mode: .readOnly)
    #expect(try connection.integerPragma("user_version") == 20)
    #expect(try connection.integer("SELECT count(*) FROM applied_migration") == 20)
    #expect(try connection.integer("SELECT sum(a) FROM n") == 210)
  }

  private static func race(_ path: String, _ start: TimeInterval) async {
    await #expect(processExitsWith: .success) { [path, start] in
      let migrations = (1...20).map { number in
        Migration(
          number: number, name: "m\(number)",
          sql: (number == 1 ? "CREATE TABLE n(a);" : "") + "INSERT INTO n VALUES (\(number))")
      }
      while Date.now.timeIntervalSince1970 < start { usleep(200) }
      let migrator = Migrator(applicationID: 1, migrations: migrations)
      #expect(throws: Never.self) {
        let connection = try migrator.open(path: path)
        #expect(try connection.integerPragma("user_version") == 20)
      }
    }
  }

  @Test("numbers with a gap or an application without a number stop the process")
  func misuse() async {
    await #expect(processExitsWith: .failure) {
      _ = Migrator(
        applicationID: 1,
        migrations: [
          Migration(number: 1, name: "a", sql: ""), Migration(number: 3, name: "b", sql: ""),
        ])
    }
    await #expect(processExitsWith: .failure) {
      _ = Migrator(applicationID: 0, migrations: [])
    }
  }

  @Test("the checksum is FNV-1a, never changes, and ignores line endings")
  func checksum() {
    #expect(Migration(number: 1, name: "", sql: "").checksum == "cbf29ce484222325")
    #expect(Migration(number: 1, name: "", sql: "foobar").checksum == "85944171f73967e8")
    #expect(
      Migration(number: 1, name: "", sql: "a\r\nb").checksum
        == Migration(number: 1, name: "", sql: "a\nb").checksum)
  }
}
