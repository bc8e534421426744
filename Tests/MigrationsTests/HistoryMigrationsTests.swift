import Foundation
import Migrations
import StatySQLite
import Testing

@Suite("The schema's migrations")
struct HistoryMigrationsTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Migrations/sql")

  private static func fileName(_ migration: Migration) -> String {
    let number = String(migration.number)
    return String(repeating: "0", count: 4 - number.count) + number + "_\(migration.name).sql"
  }

  @Test("every file in the folder is listed, in its place, and nothing else is")
  func listed() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    #expect(files == HistoryMigrations.all.map(Self.fileName))
  }

  @Test("they are numbered 1, 2, 3 and so on")
  func numbered() {
    #expect(!HistoryMigrations.all.isEmpty)
    #expect(HistoryMigrations.all.map(\.number) == Array(1...HistoryMigrations.all.count))
  }

  @Test("what is built in is what the file says, byte for byte", arguments: HistoryMigrations.all)
  func embedded(migration: Migration) throws {
    let file = try Data(
      contentsOf: Self.folder.appendingPathComponent(Self.fileName(migration)))
    #expect(Data(migration.sql.utf8) == file)
  }

  @Test("they apply to a new database")
  func apply() throws {
    let connection = try Connection()
    let migrator = Migrator(applicationID: 1, migrations: HistoryMigrations.all)
    #expect(try migrator.migrate(connection) == HistoryMigrations.all.map(\.number))
    #expect(try migrator.pending(connection).isEmpty)
  }
}
