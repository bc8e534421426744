import CMigrations
package import StatySQLite

/// The schema of a history, from its first version to the newest.
///
/// The files in `sql/` are the only source. Name a new file, `sql/NNNN_name.sql`, in `CMigrations` and here.
/// Never edit a released file.
package enum HistoryMigrations {
  /// All migrations, in order.
  package static let all: [Migration] = [
    Migration(number: 1, name: "tables", sql: String(cString: staty_sql_0001_tables())),
    Migration(number: 2, name: "views", sql: String(cString: staty_sql_0002_views())),
  ]
}
