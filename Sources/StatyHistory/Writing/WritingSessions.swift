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

  /// The sessions that have not ended, the oldest first.
  package func openSessions() throws(HistoryError) -> [SessionRecord] {
    try asHistoryError { try connection.sessions().filter { $0.ended == .open } }
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

  /// Records that the events of these numbers are missing, and why.
  ///
  /// It replaces an earlier loss with the same first number.
  package func recordLoss(
    first: Int64, last: Int64, count: Int64, reason: String
  ) throws(HistoryError) {
    try writing {
      try insert([LossRecord(firstSeq: first, lastSeq: last, count: count, reason: reason)])
    }
  }

  /// The same as `recordLoss`, as a part of a transaction; all are of one session.
  package func insert(_ losses: [LossRecord]) throws {
    guard let first = losses.first else { return }
    let owner = try connection.owner(of: first.firstSeq)
    var change: UInt64 = 0
    for loss in losses {
      if let owner, let old = try connection.loss(at: loss.firstSeq) {
        change &-= SessionSeal.part(old, first: owner.firstSeq)
      }
      try insert(loss)
      if let owner { change &+= SessionSeal.part(loss, first: owner.firstSeq) }
    }
    guard let owner else { return }
    try connection.addToSeal(of: owner.id, change)
    try follow(losses, of: owner.id)
  }

  /// Removes late events from the losses, as a part of a transaction.
  func takeFromLosses(_ rows: UnsafeBufferPointer<EventRow>, of session: SessionRecord) throws {
    guard let first = rows.first?.seq, let last = rows.last?.seq else { return }
    var change: UInt64 = 0
    for loss in try connection.losses(from: first, through: last, of: session) {
      let found = Int64(rows.count { $0.seq >= loss.firstSeq && $0.seq <= loss.lastSeq })
      if found == 0 { continue }
      var rest = loss
      rest.count -= found
      change &-= SessionSeal.part(loss, first: session.firstSeq)
      if rest.count > 0 {
        try insert(rest)
        change &+= SessionSeal.part(rest, first: session.firstSeq)
      } else {
        try connection.run("DELETE FROM loss WHERE first_seq = ?1", loss.firstSeq)
      }
    }
    if change == 0 { return }
    try connection.addToSeal(of: session.id, change)
    unfollow(session.id)
  }

  private func insert(_ loss: LossRecord) throws {
    try connection.run(
      """
      INSERT INTO loss(first_seq, last_seq, count, reason) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT(first_seq) DO UPDATE
      SET last_seq = excluded.last_seq, count = excluded.count, reason = excluded.reason
      """, loss.firstSeq, loss.lastSeq, loss.count, loss.reason)
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
