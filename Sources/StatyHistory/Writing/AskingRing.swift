import StatySQLite

/// The instances and origins of details in memory as a table that SQL can select from.
final class AskingRing: RowSource {
  static let tableName = "asking_ring"
  static let fill = "INSERT INTO asking SELECT * FROM asking_ring"

  let declaration = "CREATE TABLE asking_ring(seq INTEGER, instance INTEGER, origin INTEGER)"

  // Borrowed: set before the one statement that reads it runs and emptied after, in `fill(_:with:)`.
  private var details = UnsafeBufferPointer<EventDetail>(start: nil, count: 0)
  private var index = 0

  /// Runs `statement`, which fills the table from those details that have such.
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
    // SQLite asks for columns only while `isAtEnd` is false. Null is what is left unset.
    switch column {
    case 0: result.set(details[index].seq)
    case 1: if details[index].instance != 0 { result.set(Int64(details[index].instance)) }
    default: if details[index].origin != 0 { result.set(Int64(details[index].origin)) }
    }
  }
}
