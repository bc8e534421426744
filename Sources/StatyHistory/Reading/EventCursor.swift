package import StatySQLite

/// Reads stored events in the order of their numbers, or in reverse, one row in memory at a time.
///
/// It belongs to the thread of its reader, and keeps the reader's file open while it exists.
package final class EventCursor {
  private let rows: Statement
  private let isTimed: Bool
  private let pass: ReadingWatch.Pass?
  private var untilTold: Int

  /// - Parameter isTimed: whether times are read, at a tenth of the cost; otherwise they are 0.
  package init(
    _ connection: Connection, from first: Int64, through last: Int64, isTimed: Bool = true,
    isReversed: Bool = false, pass: ReadingWatch.Pass? = nil
  ) throws {
    self.isTimed = isTimed
    self.pass = pass
    // Without a watch no row is reported.
    untilTold = pass == nil ? .max : ReadingWatch.pause
    let names = (isTimed ? "seq, t, " : "seq, ") + "what, visit, state, inside, ref"
    // SQLite would compare a bound without effect with each row.
    let isBounded = last < Int64.max
    rows = try connection.prepare(
      "SELECT \(names) FROM event WHERE seq >= ?1 \(isBounded ? "AND seq <= ?2 " : "")ORDER BY seq"
        + (isReversed ? " DESC" : ""))
    try rows.bind(first, at: 1)
    if isBounded { try rows.bind(last, at: 2) }
  }

  /// The next event; none after the last.
  ///
  /// Its numbers are those in the file, known or unknown, cut to the size of a field.
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
    if !isTimed {
      return EventRow(
        seq: rows.int64(at: 0), time: 0, what: rows.int64(at: 1), visit: rows.int64(at: 2),
        state: rows.int64(at: 3), place: rows.int64(at: 4), reference: rows.int64(at: 5))
    }
    return EventRow(
      seq: rows.int64(at: 0), time: rows.int64(at: 1), what: rows.int64(at: 2),
      visit: rows.int64(at: 3), state: rows.int64(at: 4), place: rows.int64(at: 5),
      reference: rows.int64(at: 6))
  }

  /// Whether the file has exactly this row, the last one from `next`, with nothing cut, and null where a
  /// number is none.
  ///
  /// Only for a cursor that reads times.
  package func isWhole(_ row: EventRow) -> Bool {
    rows.int64(at: 2) == row.what && rows.holds(Int64(row.visit), at: 3)
      && rows.holds(Int64(row.state), at: 4) && rows.holds(row.place, at: 5)
      && rows.holds(row.reference, at: 6)
  }
}

/// Reads the details of events, in the order of their numbers, one at a time.
///
/// They are in two tables; most events with a detail are in one of them only.
package final class DetailCursor {
  private let askings: Half
  private let rest: Half

  package init(_ connection: Connection, from first: Int64, through last: Int64) throws {
    let asking = "seq, instance, origin"
    askings = try Half(connection, asking, of: "asking", from: first, through: last)
    rest = try Half(connection, EventDetail.columns, of: "detail", from: first, through: last)
  }

  /// The next detail; none after the last.
  package func next() throws(HistoryError) -> EventDetail? {
    try asHistoryError {
      try askings.advance()
      try rest.advance()
      let seq = min(askings.seq, rest.seq)
      guard seq != Half.end else { return nil }
      var detail = EventDetail(seq: seq)
      askings.isTaken = askings.seq == seq
      rest.isTaken = rest.seq == seq
      if askings.isTaken { detail.takeAsking(askings.rows) }
      if rest.isTaken { try detail.takeRest(rest.rows) }
      return detail
    }
  }

  /// Whether the file has exactly this detail, the last one from `next`.
  package func isWhole(_ detail: EventDetail) -> Bool {
    (!askings.isTaken || detail.isWholeAsking(in: askings.rows))
      && (!rest.isTaken || detail.isWholeRest(in: rest.rows))
  }
}

extension Statement {
  /// Whether a column holds exactly this number, or null for 0, which stands for none.
  ///
  /// A stored 0 reads like null, but the views show it.
  package func holds(_ number: Int64, at column: Int) -> Bool {
    number == 0 ? isNull(at: column) : int64(at: column) == number
  }
}

/// The rows of one of the two tables.
private final class Half {
  static let end = Int64.max

  let rows: Statement
  /// The number of its current row; `end` after the last.
  private(set) var seq: Int64 = 0
  /// Whether its current row was returned.
  var isTaken = true

  init(
    _ connection: Connection, _ columns: String, of table: String, from first: Int64,
    through last: Int64
  ) throws {
    rows = try connection.prepare(
      "SELECT \(columns) FROM \(table) WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq", first, last)
  }

  /// Advances to the next row, if the current one was returned.
  func advance() throws {
    guard isTaken, seq != Self.end else { return }
    isTaken = false
    if try rows.step() {
      seq = rows.int64(at: 0)
    } else {
      rows.reset()
      seq = Self.end
    }
  }
}

/// Reports the progress of reading the events of a session.
///
/// Only for long sessions; short ones are read at once.
package final class ReadingWatch {
  /// The progress of a pass over the events.
  package struct Place {
    /// How many numbers were passed.
    package let passed: Int64
    /// How many numbers there are.
    package let total: Int64
  }

  /// Called now and then during a pass over events.
  package var tell: ((Place) -> Void)?

  private static let fewest: Int64 = 100_000
  /// The number of events between two calls.
  package static let pause = 8_192

  /// The pass between these numbers, if it is watched.
  package func pass(from first: Int64, through last: Int64) -> Pass? {
    guard tell != nil, last &- first >= Self.fewest else { return nil }
    return Pass(watch: self, first: first, last: last)
  }

  /// A pass over the events between two numbers.
  package struct Pass {
    fileprivate let watch: ReadingWatch
    fileprivate let first: Int64
    fileprivate let last: Int64

    package func reached(_ seq: Int64) {
      watch.tell?(Place(passed: seq &- first &+ 1, total: last &- first &+ 1))
    }
  }
}
