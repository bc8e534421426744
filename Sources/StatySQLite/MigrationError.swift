import StatyText

/// Why a database was not brought up to date.
///
/// It is left as it was.
package enum MigrationError: Error, Equatable, Sendable {
  /// A newer version of this software has written it: its schema has number `found`, and `known` is
  /// the newest that is known here.
  case newer(found: Int, known: Int)

  /// It belongs to another application, which has put `found` where ours puts `expected`.
  case otherApplication(found: Int32, expected: Int32)

  /// It has content but no application has put its number in it.
  case unmarked

  /// Migration `number` was applied as something else than it is now: under `recordedName`, or with
  /// other SQL.
  case changed(number: Int, name: String, recordedName: String)

  /// What it says of itself does not fit together.
  case damagedRecord(String)

  /// Migration `number` failed and was rolled back.
  case failed(number: Int, name: String, SQLiteError)

  /// SQLite failed outside of any migration.
  case sqlite(SQLiteError)
}

extension MigrationError: CustomStringConvertible {
  /// One line that says what is wrong and what to do.
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
