import Staty
import StatyHistory
import StatySQLite

extension HistoryReader {
  /// The messages of a session with values that were cut, by their tracks.
  func cutMessages(of session: SessionRecord) throws -> [HistoryCheck.CutMessages] {
    try asHistoryError {
      let rows = try connection.prepare(
        """
        SELECT e.what >> 14, count(*), min(e.seq) FROM detail d JOIN event e ON e.seq = d.seq
        WHERE d.seq BETWEEN ?1 AND ?2 AND d.payload IS NOT NULL AND e.what & 31 = ?3
          AND substr(d.payload, 1, ?4) = CAST(?5 AS BLOB)
        GROUP BY 1 ORDER BY 3
        """, session.firstSeq, session.lastOwnSeq, Int64(EventKind.received.rawValue),
        Int64(MessageText.cutMark.utf8.count), MessageText.cutMark)
      var cut: [HistoryCheck.CutMessages] = []
      while try rows.step() {
        cut.append(
          HistoryCheck.CutMessages(
            controller: Int32(truncatingIfNeeded: rows.int64(at: 0)),
            count: Int(rows.int64(at: 1)), first: rows.int64(at: 2)))
      }
      return cut
    }
  }
}
