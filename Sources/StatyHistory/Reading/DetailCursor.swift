import StatySQLite

/// Reads the details of events, in the order of their numbers, one at a time.
///
/// They are in two tables; most events with a detail are in one of them only.
package final class DetailCursor {
  private let askings: Half
  private let rest: Half

  init(_ connection: Connection, from first: Int64, through last: Int64) throws {
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

  /// Whether the file says exactly this detail, the one that `next` returned last.
  func isWhole(_ detail: EventDetail) -> Bool {
    (!askings.isTaken || detail.isWholeAsking(in: askings.rows))
      && (!rest.isTaken || detail.isWholeRest(in: rest.rows))
  }
}

/// The rows of one of the two tables.
private final class Half {
  static let end = Int64.max

  let rows: Statement
  /// The number of the row it stands on; `end` after the last.
  private(set) var seq: Int64 = 0
  /// Whether the row it stands on has been given out.
  var isTaken = true

  init(
    _ connection: Connection, _ columns: String, of table: String, from first: Int64,
    through last: Int64
  ) throws {
    rows = try connection.prepare(
      "SELECT \(columns) FROM \(table) WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq")
    try rows.bind(first, at: 1)
    try rows.bind(last, at: 2)
  }

  /// Goes to the next row, if the one before has been given out.
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
