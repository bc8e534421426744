import StatySQLite

extension HistoryWriter {
  /// Begins a session, and returns its number in the file.
  package func beginSession(_ opening: SessionOpening) throws(HistoryError) -> Int64 {
    // The session before it now ends where this one begins.
    ledgers = [:]
    return try writing { try insert(opening) }
  }

  /// The same as `beginSession`, as a part of a transaction.
  package func insert(_ opening: SessionOpening) throws -> Int64 {
    try connection.run(
      """
      INSERT INTO session(uuid, app, app_version, os, pid, wall_us, first_seq, run)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """, opening.uuid, opening.app, opening.appVersion, opening.os, Int64(opening.pid),
      opening.wallTime, try opening.firstSeq ?? nextFreeSeq(), opening.run)
    let session = connection.lastInsertRowID
    _ = try add(anchor: AnchorRecord(time: 0, wallTime: opening.wallTime), to: session)
    try connection.seal(session)
    return session
  }

  /// Stores how a session ended.
  package func endSession(_ session: Int64, _ end: SessionEnd) throws(HistoryError) {
    try writing { try noteEnd(of: session, end) }
    ledgers[session]?.record.ended = end
  }

  /// The same as `endSession`, as a part of a transaction.
  func noteEnd(of session: Int64, _ end: SessionEnd) throws {
    try connection.run("UPDATE session SET ended = ?2 WHERE id = ?1", session, end.rawValue)
    guard connection.changes == 1 else { throw HistoryError.noSession(session) }
    try connection.seal(session)
    try endFollowing(session)
  }

  /// The sessions, the oldest first.
  package func sessions() throws(HistoryError) -> [SessionRecord] {
    try asHistoryError { try connection.sessions() }
  }

  /// The sessions of the process whose first session has this UUID, the oldest first.
  package func sessions(ofRun uuid: String) throws(HistoryError) -> [SessionRecord] {
    try asHistoryError { try connection.sessions(ofRun: uuid) }
  }

  /// The sessions that have not ended, the oldest first.
  package func openSessions() throws(HistoryError) -> [SessionRecord] {
    try asHistoryError { try connection.openSessions() }
  }

  /// The session with this number.
  package func session(_ id: Int64) throws(HistoryError) -> SessionRecord {
    try asHistoryError { try connection.session(id) }
  }

  /// Prepares for rows with numbers of names, places and controllers that an earlier writer gave.
  package func resume(session: Int64) throws(HistoryError) {
    try asHistoryError {
      _ = try ledger(of: session)
      try catalog.load(session: session, connection)
    }
  }

  /// Stores a wall clock time with the session's own time, in microseconds each.
  package func addAnchor(
    session: Int64, time: Int64, wallTime: Int64
  ) throws(HistoryError) {
    try writing {
      _ = try connection.session(session)
      let change = try add(anchor: AnchorRecord(time: time, wallTime: wallTime), to: session)
      try connection.addToSeal(of: session, change)
    }
  }

  /// The first number that no session has used, lost ones included.
  private func nextFreeSeq() throws -> Int64 {
    let rows = try connection.prepare(
      """
      SELECT max(
        coalesce((SELECT max(seq) FROM event), 0), coalesce((SELECT max(last_seq) FROM loss), 0),
        coalesce((SELECT max(first_seq) FROM session), 0))
      """)
    _ = try rows.step()
    return rows.int64(at: 0) + 1
  }

  /// Returns the addition to the session's seal.
  private func add(anchor: AnchorRecord, to session: Int64) throws -> UInt64 {
    let old = try connection.anchor(of: session, at: anchor.time)
    try connection.run(
      "INSERT OR REPLACE INTO anchor(session, t_us, wall_us) VALUES (?1, ?2, ?3)", session,
      anchor.time, anchor.wallTime)
    return SessionSeal.part(anchor) &- (old.map(SessionSeal.part) ?? 0)
  }
}
