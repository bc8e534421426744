import StatySQLite

/// Says of numbers whether there is an event with it, also while a query runs.
package final class SeqLookup {
  private let statement: Statement

  package init(_ reader: HistoryReader) throws(HistoryError) {
    // A number of what was lost is one that there was.
    statement = try asHistoryError {
      try reader.connection.prepare(
        """
        SELECT EXISTS (SELECT 1 FROM event WHERE seq = ?1)
          OR EXISTS (SELECT 1 FROM loss WHERE first_seq <= ?1 AND last_seq >= ?1)
        """)
    }
  }

  /// Whether a session had an event with this number.
  package func has(_ seq: Int64, in session: SessionRecord) throws(HistoryError) -> Bool {
    guard seq >= session.firstSeq, seq <= session.lastOwnSeq else { return false }
    return try asHistoryError {
      defer { statement.reset() }
      try statement.bind(seq, at: 1)
      return try statement.step() && statement.int64(at: 0) != 0
    }
  }
}
