import StatySQLite

// Findings follow from the events, as the rows of visits do, and are stored with them.
extension HistoryWriter {
  /// A reader of the same file through the writer's own connection.
  ///
  /// It belongs to the writer's thread and must not be closed; the writer cannot be closed while
  /// one of its cursors is alive.
  package func reader() throws(HistoryError) -> HistoryReader {
    try HistoryReader(ownFile: connection)
  }

  /// Stores the further findings of an open session, as if it ended now.
  package func judgeEnd(of session: Int64) throws(HistoryError) {
    guard let following = followings[session] else { return }
    try writing { try storeEnd(following, of: connection.session(session)) }
  }

  /// The same, as a part of a transaction; it replaces earlier findings of the same kind.
  ///
  /// Behind a gap in an open session nothing was followed, so that nothing is known of the end.
  func storeEnd(_ following: SessionFollowing, of session: SessionRecord) throws {
    guard session.ended != .open || following.next > session.lastSeq ?? 0 else { return }
    guard let findings = try following.findingsAtEnd(session, connection),
      let judge = following.judge
    else { return }
    if endFindings[session.id] != findings {
      let gone = try connection.sumOfFindings(
        where: "session = ?1 AND NOT is_final", session.id)
      try connection.run("DELETE FROM finding WHERE session = ?1 AND NOT is_final", session.id)
      try connection.addToJudgement(of: session.id, 0 &- gone)
      try insert(findings, of: session.id)
    }
    endFindings[session.id] = session.ended == .open ? findings : nil
    try connection.store(edition: type(of: judge).edition, of: session.id)
    try connection.run(
      "UPDATE session SET judged_us = ?2 WHERE id = ?1", session.id, session.endTime)
  }

  /// Removes the findings of a session, as a part of a transaction.
  func removeFindings(of session: Int64) throws {
    try connection.run("DELETE FROM finding WHERE session = ?1", session)
    endFindings[session] = nil
    try connection.run(
      "UPDATE session SET rules = NULL, judged_us = NULL, judgement = 0 WHERE id = ?1", session)
  }

  package func insert(_ findings: [FindingRecord], of session: Int64) throws {
    if findings.isEmpty { return }
    let stored = try connection.prepare("SELECT coalesce(max(id), 0) FROM finding")
    _ = try stored.step()
    let last = stored.int64(at: 0)
    stored.reset()
    let insert = try connection.prepare(
      """
      INSERT INTO finding(session, seq, code, severity, controller, visit, state, detail, is_final)
      VALUES (?1, ?2, ?3, ?4, ?5, nullif(?6, 0), nullif(?7, 0), ?8, ?9)
      """)
    for finding in findings {
      try insert.run(
        session, finding.seq, finding.code, finding.severity, Int64(finding.controller),
        Int64(finding.visit), Int64(finding.state), finding.detail, finding.isFinal ? 1 : 0)
    }
    try connection.addToJudgement(
      of: session, connection.sumOfFindings(where: "id > ?1", last))
  }
}
