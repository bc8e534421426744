import Migrations
package import StatySQLite

/// What makes an SQLite file a history.
package enum HistoryFile {
  /// The number in the file's header that marks a history: `STTY`.
  package static let applicationID: Int32 = 0x5354_5459

  /// The newest schema that is known here.
  package static let schemaVersion = HistoryMigrations.all.count

  /// How many bytes of UTF-8 a name may have: of a state, a controller or a file of code, or what a
  /// session says of its app.
  ///
  /// A longer one is damage: a name is read once and written with each event that has it.
  package static let mostNameBytes = 65_536

  /// The endings of the files that may be next to a history: SQLite's, and a recorder's ring.
  package static let companions = DatabaseFile.companions + ["-ring"]

  /// Brings a history to the newest schema.
  package static var migrator: Migrator {
    Migrator(applicationID: applicationID, migrations: HistoryMigrations.all)
  }
}
