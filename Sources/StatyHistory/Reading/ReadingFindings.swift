import StatySQLite

extension HistoryReader {
  /// What the rules found in a session, by the number of the guilty event, then by code.
  package func findings(session: Int64) throws(HistoryError) -> [FindingRecord] {
    try asHistoryError {
      let rows = try connection.prepare(
        """
        SELECT seq, code, severity, controller, visit, state, detail, is_final FROM finding
        WHERE session = ?1 ORDER BY seq, code, visit, id
        """)
      try rows.bind(session, at: 1)
      var findings: [FindingRecord] = []
      while try rows.step() {
        findings.append(
          FindingRecord(
            session: session, seq: rows.int64(at: 0), code: try rows.string(at: 1) ?? "",
            severity: try rows.string(at: 2) ?? "",
            controller: Int32(truncatingIfNeeded: rows.int64(at: 3)),
            visit: UInt32(truncatingIfNeeded: rows.int64(at: 4)),
            state: Int32(truncatingIfNeeded: rows.int64(at: 5)),
            detail: try rows.string(at: 6) ?? "", isFinal: rows.int64(at: 7) != 0))
      }
      return findings
    }
  }
}
