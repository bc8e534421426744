import Migrations
package import StatySQLite

/// What makes an SQLite file a history.
package enum HistoryFile {
  /// The number in the file's header that marks a history: `STTY`.
  package static let applicationID: Int32 = 0x5354_5459

  /// The newest schema that is known here.
  package static let schemaVersion = HistoryMigrations.all.count

  /// The most bytes of UTF-8 in a name: of a state, a controller or a file of code, or of an app.
  ///
  /// A longer name is damage: a name is read once and written with each event that has it.
  package static let longestStoredName = 65_536

  /// The suffix of a recorder's ring.
  package static let ringEnd = "-ring"

  /// What stands between the path of a history and the name of an old ring.
  package static let oldRingMark = "-ring-"

  /// What stands between the path of a history and the UUID of a ring that could not be recovered.
  package static let unreadableRingMark = "-unreadable-ring-"

  /// The marks of rings that are not the current one.
  package static let ringMarks = [oldRingMark, unreadableRingMark]

  /// The suffixes of files that belong to a history: SQLite's, and a recorder's ring.
  package static let companions = DatabaseFile.companions + [ringEnd]

  /// Brings a history to the newest schema.
  package static var migrator: Migrator {
    Migrator(applicationID: applicationID, migrations: HistoryMigrations.all)
  }
}
