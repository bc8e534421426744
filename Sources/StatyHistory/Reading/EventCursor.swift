import StatySQLite

/// Goes over stored events in order of their numbers, or against it, one row in memory at a time.
///
/// It belongs where its reader belongs, and keeps the reader's file open for as long as it lives.
package final class EventCursor {
  /// Which columns are read: each costs about a tenth of a row.
  enum Columns {
    case all
    /// Not when it happened.
    case withoutTime
  }

  private let rows: Statement
  private let columns: Columns
  private let pass: ReadingWatch.Pass?
  private var untilTold: Int

  init(
    _ connection: Connection, from first: Int64, through last: Int64, _ columns: Columns = .all,
    isReversed: Bool = false, pass: ReadingWatch.Pass? = nil
  ) throws {
    self.columns = columns
    self.pass = pass
    // Without a watch no row is reported.
    untilTold = pass == nil ? .max : ReadingWatch.pause
    let names =
      switch columns {
      case .all: "seq, t, what, visit, state, inside, ref"
      case .withoutTime: "seq, what, visit, state, inside, ref"
      }
    // A bound that bounds nothing would be compared with each row.
    let isBounded = last < Int64.max
    rows = try connection.prepare(
      "SELECT \(names) FROM event WHERE seq >= ?1 \(isBounded ? "AND seq <= ?2 " : "")ORDER BY seq"
        + (isReversed ? " DESC" : ""))
    try rows.bind(first, at: 1)
    if isBounded { try rows.bind(last, at: 2) }
  }

  /// The next event; none after the last.
  ///
  /// Its numbers are what the file says, known or not, with what exceeds a field cut off.
  package func next() throws(HistoryError) -> EventRow? {
    do throws(SQLiteError) {
      guard try rows.step() else {
        rows.reset()
        return nil
      }
    } catch {
      rows.reset()
      throw HistoryError(error)
    }
    untilTold -= 1
    if untilTold == 0 {
      pass?.reached(rows.int64(at: 0))
      untilTold = ReadingWatch.pause
    }
    if columns == .withoutTime {
      return EventRow(
        seq: rows.int64(at: 0), time: 0, what: rows.int64(at: 1), visit: rows.int64(at: 2),
        state: rows.int64(at: 3), place: rows.int64(at: 4), reference: rows.int64(at: 5))
    }
    return EventRow(
      seq: rows.int64(at: 0), time: rows.int64(at: 1), what: rows.int64(at: 2),
      visit: rows.int64(at: 3), state: rows.int64(at: 4), place: rows.int64(at: 5),
      reference: rows.int64(at: 6))
  }

  /// Whether the file has exactly this row, which `next` returned last, with nothing cut.
  ///
  /// Only for a cursor that reads all columns.
  func isWhole(_ row: EventRow) -> Bool {
    rows.int64(at: 2) == row.what && rows.int64(at: 3) == Int64(row.visit)
      && rows.int64(at: 4) == Int64(row.state) && rows.int64(at: 5) == row.place
      && rows.int64(at: 6) == row.reference
  }
}
