package import StatySQLite

/// The schema of a history, from its first version to the newest.
///
/// The files in `sql/` are the only source. A new one, `sql/NNNN_name.sql`, is listed twice: among
/// the target's resources in the package's manifest, and here. An identifier cannot begin with a
/// digit, so the build puts `_` in the place of the first one. A released file is never edited.
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
