import StatySQLite

/// A visit that had not exited when recording of its session ended.
package struct UnfinishedVisit: Equatable, Sendable {
  /// The name of its controller, and of its state.
  package var controller: String
  package var state: String
  package var visit: UInt32
  /// Its phase: a number of ``VisitRow/Outcome``.
  package var outcome: UInt8
  /// The session's time, in microseconds, since which it was in that phase.
  package var since: Int64
  /// The payload that was recorded with its request.
  package var payload: [UInt8]?
}

extension HistoryReader {
  /// The visits of a session that were open when its recording ended, in the order of their
  /// requests.
  package func unfinishedVisits(session: Int64) throws(HistoryError) -> [UnfinishedVisit] {
    try asHistoryError {
      let rows = try connection.prepare(
        """
        SELECT (SELECT n.text FROM name n WHERE n.id = v.name),
          (SELECT n.text FROM name n WHERE n.id = v.state),
          v.visit, v.outcome,
          coalesce(
            CASE v.outcome WHEN 6 THEN v.told WHEN 7 THEN v.entered WHEN 8 THEN v.dismissed END,
            v.asked, v.since),
          v.seq
        FROM _visit v
        -- What was open when its controller was released is gone.
        WHERE v.session = ?1 AND v.outcome IN (0, 5, 6, 7, 8) AND v.gone IS NULL ORDER BY v.seq
        """, session)
      var visits: [UnfinishedVisit] = []
      while try rows.step() {
        visits.append(
          UnfinishedVisit(
            controller: try rows.string(at: 0) ?? "", state: try rows.string(at: 1) ?? "",
            visit: UInt32(truncatingIfNeeded: rows.int64(at: 2)),
            outcome: UInt8(truncatingIfNeeded: rows.int64(at: 3)), since: rows.int64(at: 4),
            payload: try detail(of: rows.int64(at: 5))?.payload))
      }
      return visits
    }
  }
}
