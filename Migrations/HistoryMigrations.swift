package import StatySQLite

/// The schema of a history, from its first version to the newest.
///
/// The files in `sql/` are the only source. List a new file, `sql/NNNN_name.sql`, twice: in the
/// target's resources in `Package.swift`, and here. An identifier cannot begin with a digit, so the
/// build replaces the first digit by `_`. Never edit a released file.
package enum HistoryMigrations {
  /// All migrations, in order.
  package static let all: [Migration] = [
    migration(1, "tables", PackageResources._001_tables_sql),
    migration(2, "views", PackageResources._002_views_sql),
  ]

  private static func migration(_ number: Int, _ name: String, _ file: [UInt8]) -> Migration {
    Migration(number: number, name: name, sql: String(decoding: file, as: UTF8.self))
  }
}
