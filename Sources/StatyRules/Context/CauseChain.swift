package import StatyHistory

extension EventRow {
  /// The chain of the event's causes, nearest first.
  ///
  /// - Parameters:
  ///   - most: the highest number of causes.
  ///   - event: finds an event by its number.
  package func causes(
    most: Int, _ event: (Int64) throws -> EventRow?
  ) rethrows -> [EventRow] {
    var causes: [EventRow] = []
    var row = self
    // A cause must be earlier than its effect, or a hostile file could cause an endless loop.
    while row.cause != 0, row.cause < row.seq, causes.count < most, let cause = try event(row.cause)
    {
      causes.append(cause)
      row = cause
    }
    return causes
  }
}

extension HistoryReader {
  /// The event with this number; `nil` if the session has none.
  package func event(_ seq: Int64, session: Int64) throws -> EventRow? {
    try events(session: session, from: seq, through: seq).next()
  }

  /// An event and the chain of its causes: the farthest first, the event itself last.
  package func chain(to seq: Int64, session: Int64, most: Int = 7) throws -> [EventRow] {
    guard let row = try event(seq, session: session) else { return [] }
    return try row.causes(most: most) { try event($0, session: session) }.reversed() + [row]
  }
}
