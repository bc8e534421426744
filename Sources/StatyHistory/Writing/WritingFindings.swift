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
  func storeEnd(_ following: SessionFollowing, of session: SessionRecord) throws {
    guard let findings = try following.findingsAtEnd(session.lastTime, connection),
      let judge = following.judge
    else { return }
    let delete = try connection.prepare("DELETE FROM finding WHERE session = ?1 AND NOT is_final")
    try delete.bind(session.id, at: 1)
    try delete.run()
    try insert(findings, of: session.id)
    try note(edition: type(of: judge).edition, judged: session.lastTime, of: session.id)
  }

  /// Removes the findings of a session, as a part of a transaction.
  func removeFindings(of session: Int64) throws {
    let delete = try connection.prepare("DELETE FROM finding WHERE session = ?1")
    try delete.bind(session, at: 1)
    try delete.run()
    try note(edition: nil, judged: nil, of: session)
  }

  private func note(edition: Int?, judged: Int64?, of session: Int64) throws {
    let update = try connection.prepare(
      "UPDATE session SET rules = ?2, judged_us = ?3 WHERE id = ?1")
    try update.bind(session, at: 1)
    for (value, place) in [(edition.map { Int64($0) }, 2), (judged, 3)] {
      if let value { try update.bind(value, at: place) } else { try update.bindNull(at: place) }
    }
    try update.run()
  }

  func insert(_ findings: [FindingRecord], of session: Int64) throws {
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
}
