import StatySQLite

/// Rows in memory as a table that SQL can select from.
final class NewEvents: RowSource {
  static let tableName = "new_event"
  static let fill = "INSERT INTO event SELECT * FROM new_event"

  /// For rows that follow the last stored one without a gap.
  ///
  /// SQLite numbers them itself and searches no place, which takes half the time. The number is the
  /// table's last column, so that none of the others is copied.
  static let fillBehind = """
    INSERT INTO event(t, what, visit, state, inside, ref)
    SELECT t, what, visit, state, inside, ref FROM new_event
    """

  let declaration = """
    CREATE TABLE new_event(
      t INTEGER, what INTEGER, visit INTEGER, state INTEGER, inside INTEGER, ref INTEGER,
      seq INTEGER)
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
    // SQLite asks for columns only while `isAtEnd` is false. Unset columns are null.
    let row = rows[index]
    switch column {
    case 0: result.set(row.time)
    case 1: result.set(row.what)
    case 2: if row.visit != 0 { result.set(Int64(row.visit)) }
    case 3: if row.state != 0 { result.set(Int64(row.state)) }
    case 4: if row.place != 0 { result.set(row.place) }
    case 5:
      let reference = row.reference
      if reference != 0 { result.set(reference) }
    default: result.set(row.seq)
    }
  }
}

/// The instances and origins of details in memory as a table that SQL can select from.
final class NewAskings: RowSource {
  static let tableName = "new_asking"
  static let fill = "INSERT INTO asking SELECT * FROM new_asking"

  let declaration = "CREATE TABLE new_asking(seq INTEGER, instance INTEGER, origin INTEGER)"

  // Borrowed: set before the one statement that reads it runs and emptied after, in `fill(_:with:)`.
  private var details = UnsafeBufferPointer<EventDetail>(start: nil, count: 0)
  private var index = 0

  /// Runs `statement`, which fills the table from the details that have an instance or an origin.
  func fill(
    _ statement: Statement, with details: UnsafeBufferPointer<EventDetail>
  ) throws(SQLiteError) {
    self.details = details
    defer { self.details = UnsafeBufferPointer(start: nil, count: 0) }
    try statement.run()
  }

  func rewind() {
    index = -1
    next()
  }

  func next() {
    repeat { index += 1 } while index < details.count && !details[index].hasAsking
  }

  var isAtEnd: Bool { index >= details.count }

  func column(_ column: Int, into result: RowResult) {
    // SQLite asks for columns only while `isAtEnd` is false. Unset columns are null.
    switch column {
    case 0: result.set(details[index].seq)
    case 1: if details[index].instance != 0 { result.set(Int64(details[index].instance)) }
    default: if details[index].origin != 0 { result.set(Int64(details[index].origin)) }
    }
  }
}

/// Rows of visits in memory as a table that SQL can select from.
final class NewVisits: RowSource {
  static let tableName = "new_visit"
  static let fill = "INSERT OR REPLACE INTO visit SELECT * FROM new_visit"

  let declaration = """
    CREATE TABLE new_visit(
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
    // SQLite asks for columns only while `isAtEnd` is false. Unset columns are null.
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
