import StatyText

/// The reason why a database was not migrated.
///
/// The database was not changed.
package enum MigrationError: Error, Equatable, Sendable {
  /// A newer version of this software has written the database: its schema has the number `found`,
  /// and the newest that this version knows is `known`.
  case newer(found: Int, known: Int)

  /// The database belongs to another application, with the number `found` instead of `expected`.
  case otherApplication(found: Int32, expected: Int32)

  /// The database has content, but no application's number.
  case unmarked

  /// Migration `number` was applied with another name, `recordedName`, or with other SQL than it
  /// has now.
  case changed(number: Int, name: String, recordedName: String)

  /// The database's own record of its migrations is inconsistent.
  case damagedRecord(String)

  /// Migration `number` failed and was rolled back.
  case failed(number: Int, name: String, SQLiteError)

  /// SQLite failed outside of any migration.
  case sqlite(SQLiteError)
}

extension MigrationError: CustomStringConvertible {
  /// The error and what to do, in one line.
  package var description: String {
    switch self {
    case .newer(let found, let known):
      "the database has schema \(found), and this version knows schemas up to \(known): "
        + "use a newer version"
    case .otherApplication(let found, let expected):
      "the database belongs to another application (its application_id is \(found), "
        + "not \(expected)): choose another file"
    case .unmarked:
      "the database has content and no application_id: it was not made by this software; "
        + "choose another file"
    case .changed(let number, let name, let recorded):
      "migration \(number) (\(name)) was applied to the database in another form, as "
        + "\"\(recorded.escapedForOneLine)\": a released migration is never edited; add a new one"
    case .damagedRecord(let detail):
      "the database's record of its migrations is damaged: \(detail.escapedForOneLine)"
    case .failed(let number, let name, let error):
      "migration \(number) (\(name)) failed and was rolled back: \(error)"
    case .sqlite(let error):
      error.description
    }
  }
}
