import Migrations
public import StatySQLite

/// What makes an SQLite file a history.
public enum HistoryFile {
  /// The number in the file's header that says whose it is: `STTY`.
  public static let applicationID: Int32 = 0x5354_5459

  /// The newest schema that is known here.
  public static let schemaVersion = HistoryMigrations.all.count

  /// Brings a history to the newest schema.
  public static var migrator: Migrator {
    Migrator(applicationID: applicationID, migrations: HistoryMigrations.all)
  }
}
