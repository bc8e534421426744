import StatySQLite

/// Rows in memory as a table that SQL can select from.
final class RowRing: RowSource {
  static let tableName = "ring"
  static let fill = "INSERT INTO event SELECT * FROM ring"

  /// For rows that follow, without a gap, the last that is stored: SQLite numbers them itself and
  /// looks for the place of none, which takes half the time.
  static let fillBehind = """
    INSERT INTO event(t, what, visit, state, inside, ref)
    SELECT t, what, visit, state, inside, ref FROM ring
    """

  let declaration = """
    CREATE TABLE ring(
      seq INTEGER, t INTEGER, what INTEGER, visit INTEGER, state INTEGER, inside INTEGER,
      ref INTEGER)
    """

  // Borrowed: set before the one statement that reads it runs and emptied after, in `fill(_:with:)`.
  private var rows = UnsafeBufferPointer<EventRow>(start: nil, count: 0)
  private var index = 0

  /// Runs `statement`, which fills a table from these rows.
  func fill(_ statement: Statement, with rows: UnsafeBufferPointer<EventRow>) throws(SQLiteError) {
    self.rows = rows
    defer { self.rows = UnsafeBufferPointer(start: nil, count: 0) }
    try statement.run()
  }

  func rewind() { index = 0 }

  func next() { index += 1 }

  var isAtEnd: Bool { index >= rows.count }

  func column(_ column: Int, into result: RowResult) {
    // SQLite asks for columns only while `isAtEnd` is false. Null is what is left unset.
    let row = rows[index]
    switch column {
    case 0: result.set(row.seq)
    case 1: result.set(row.time)
    case 2: result.set(row.what)
    case 3: if row.visit != 0 { result.set(Int64(row.visit)) }
    case 4: if row.state != 0 { result.set(Int64(row.state)) }
    case 5: if row.inside != 0 { result.set(row.place) }
    default:
      let reference = row.reference
      if reference != 0 { result.set(reference) }
    }
  }
}
