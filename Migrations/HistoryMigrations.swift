package import StatySQLite

/// The schema of a history, from its first version to the newest.
///
/// The files in `sql/` are the only source. A new one, `sql/NNNN_name.sql`, is listed twice: among
/// the target's resources in the package's manifest, and here. An identifier cannot begin with a
/// digit, so the build puts `_` in the place of the first one. A released file is never edited.
package enum HistoryMigrations {
  /// All migrations, in order.
  package static let all: [Migration] = [
    migration(1, "history", PackageResources._001_history_sql),
    migration(2, "views", PackageResources._002_views_sql),
    migration(3, "alias", PackageResources._003_alias_sql),
    migration(4, "standing", PackageResources._004_standing_sql),
    migration(5, "findings", PackageResources._005_findings_sql),
    migration(6, "asking", PackageResources._006_asking_sql),
    migration(7, "cut", PackageResources._007_cut_sql),
    migration(8, "seal", PackageResources._008_seal_sql),
    migration(9, "stats", PackageResources._009_stats_sql),
    migration(10, "moves", PackageResources._010_moves_sql),
    migration(11, "unsealed", PackageResources._011_unsealed_sql),
    migration(12, "controllers", PackageResources._012_controllers_sql),
    migration(13, "heard", PackageResources._013_heard_sql),
  ]

  private static func migration(_ number: Int, _ name: String, _ file: [UInt8]) -> Migration {
    Migration(number: number, name: name, sql: String(decoding: file, as: UTF8.self))
  }
}
