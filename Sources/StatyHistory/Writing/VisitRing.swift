import StatySQLite

/// Rows of visits in memory as a table that SQL can select from.
final class VisitRing: RowSource {
  static let tableName = "visit_ring"
  static let fill = "INSERT OR REPLACE INTO visit SELECT * FROM visit_ring"

  let declaration = """
    CREATE TABLE visit_ring(
      seq INTEGER, what INTEGER, state INTEGER, "from" INTEGER, asked INTEGER, turn INTEGER,
      free INTEGER, told INTEGER, entered INTEGER, dismissed INTEGER, gone INTEGER)
    """

  private var rows: [VisitRow] = []
  private var index = 0

  /// Runs `statement`, which fills a table from these rows.
  func fill(_ statement: Statement, with rows: [VisitRow]) throws(SQLiteError) {
    self.rows = rows
    defer { self.rows = [] }
    try statement.run()
  }

  func rewind() { index = 0 }

  func next() { index += 1 }

  var isAtEnd: Bool { index >= rows.count }

  func column(_ column: Int, into result: RowResult) {
    // SQLite asks for columns only while `isAtEnd` is false. Null is what is left unset.
    let row = rows[index]
    let value: Int64? =
      switch column {
      case 0: row.seq
      case 1: row.what
      case 2: row.state == 0 ? nil : Int64(row.state)
      case 3: row.from.map(Int64.init)
      case 4: row.asked
      case 5: row.turn
      case 6: row.free
      case 7: row.told
      case 8: row.entered
      case 9: row.dismissed
      default: row.gone
      }
    if let value { result.set(value) }
  }
}
