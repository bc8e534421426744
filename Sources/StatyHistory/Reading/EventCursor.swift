import StatySQLite

/// Goes over stored events in order of their numbers, one row in memory at a time.
///
/// It belongs where its reader belongs, and keeps the reader's file open for as long as it lives.
public final class EventCursor {
  private let rows: Statement

  init(_ connection: Connection, from first: Int64, through last: Int64) throws {
    rows = try connection.prepare(
      """
      SELECT seq, t, what, visit, state, back, site FROM event WHERE seq BETWEEN ?1 AND ?2
      ORDER BY seq
      """)
    try rows.bind(first, at: 1)
    try rows.bind(last, at: 2)
  }

  /// The next event; none after the last.
  ///
  /// Its numbers are what the file says, known or not, with what exceeds a field cut off.
  public func next() throws(HistoryError) -> EventRow? {
    do throws(SQLiteError) {
      guard try rows.step() else {
        rows.reset()
        return nil
      }
    } catch {
      rows.reset()
      throw HistoryError(error)
    }
    return EventRow(
      seq: rows.int64(at: 0), time: rows.int64(at: 1), what: rows.int64(at: 2),
      visit: rows.int64(at: 3), state: rows.int64(at: 4), back: rows.int64(at: 5),
      site: rows.int64(at: 6))
  }

  /// Whether the file says exactly this row, the one that `next` returned last, with nothing cut.
  func isWhole(_ row: EventRow) -> Bool {
    rows.int64(at: 2) == row.what && rows.int64(at: 3) == Int64(row.visit)
      && rows.int64(at: 4) == Int64(row.state) && rows.int64(at: 5) == row.back
      && rows.int64(at: 6) == Int64(row.site)
  }
}
