import StatySQLite

extension HistoryWriter {
  /// Stores what the rules found in a session, and how far they have looked.
  ///
  /// What was stored before and is not final gives way.
  ///
  /// - Parameter anew: whether what is final gives way too.
  package func store(
    findings: [FindingRecord], checked: CheckedRecord, anew: Bool
  ) throws(HistoryError) {
    try writing {
      _ = try connection.session(checked.session)
      let delete = try connection.prepare(
        "DELETE FROM finding WHERE session = ?1 AND (?2 OR NOT is_final)")
      try delete.bind(checked.session, at: 1)
      try delete.bind(anew ? 1 : 0, at: 2)
      try delete.run()
      try insert(findings, of: checked.session)
      try insert(checked)
    }
  }

  /// A reader of the same file through the writer's own connection.
  ///
  /// It belongs to the writer's thread and must not be closed; the writer cannot be closed while
  /// one of its cursors is alive.
  package func reader() throws(HistoryError) -> HistoryReader {
    try HistoryReader(ownFile: connection)
  }

  private func insert(_ findings: [FindingRecord], of session: Int64) throws {
    if findings.isEmpty { return }
    let insert = try connection.prepare(
      """
      INSERT INTO finding(session, seq, code, severity, controller, visit, state, detail, is_final)
      VALUES (?1, ?2, ?3, ?4, ?5, nullif(?6, 0), nullif(?7, 0), ?8, ?9)
      """)
    for finding in findings {
      try insert.bind(session, at: 1)
      try insert.bind(finding.seq, at: 2)
      try insert.bind(finding.code, at: 3)
      try insert.bind(finding.severity, at: 4)
      try insert.bind(Int64(finding.controller), at: 5)
      try insert.bind(Int64(finding.visit), at: 6)
      try insert.bind(Int64(finding.state), at: 7)
      try insert.bind(finding.detail, at: 8)
      try insert.bind(finding.isFinal ? 1 : 0, at: 9)
      try insert.run()
    }
  }

  private func insert(_ checked: CheckedRecord) throws {
    let insert = try connection.prepare(
      """
      INSERT OR REPLACE INTO checked(session, version, through, events, last_us, lost)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """)
    try insert.bind(checked.session, at: 1)
    try insert.bind(Int64(checked.version), at: 2)
    try insert.bind(checked.through, at: 3)
    try insert.bind(checked.events, at: 4)
    try insert.bind(checked.lastTime, at: 5)
    try insert.bind(checked.lost, at: 6)
    try insert.run()
  }
}
