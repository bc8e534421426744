import StatySQLite

extension HistoryWriter {
  /// Begins a session, and returns its number in the file.
  public func beginSession(_ opening: SessionOpening) throws(HistoryError) -> Int64 {
    // The session before it now ends where this one begins.
    ledgers = [:]
    return try writing {
      let insert = try connection.prepare(
        """
        INSERT INTO session(uuid, app, app_version, os, pid, wall_us, first_seq)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """)
      try insert.bind(opening.uuid, at: 1)
      try insert.bind(opening.app, at: 2)
      try insert.bind(opening.appVersion, at: 3)
      try insert.bind(opening.os, at: 4)
      try insert.bind(Int64(opening.pid), at: 5)
      try insert.bind(opening.wallTime, at: 6)
      try insert.bind(try opening.firstSeq ?? nextFreeSeq(), at: 7)
      try insert.run()
      let session = connection.lastInsertRowID
      try add(anchor: AnchorRecord(time: 0, wallTime: opening.wallTime), to: session)
      return session
    }
  }

  /// Says how a session ended.
  public func endSession(_ session: Int64, _ end: SessionEnd) throws(HistoryError) {
    try writing {
      let update = try connection.prepare("UPDATE session SET ended = ?2 WHERE id = ?1")
      try update.bind(session, at: 1)
      try update.bind(end.rawValue, at: 2)
      try update.run()
      guard connection.changes == 1 else { throw HistoryError.noSession(session) }
    }
  }

  /// The sessions that nobody has ended, the oldest first.
  public func openSessions() throws(HistoryError) -> [SessionRecord] {
    try asHistoryError { try connection.sessions().filter { $0.ended == .open } }
  }

  /// Prepares for rows that use numbers of names, places and controllers which an earlier writer
  /// gave.
  public func resume(session: Int64) throws(HistoryError) {
    try asHistoryError {
      _ = try ledger(of: session)
      try catalog.load(session: session, connection)
    }
  }

  /// Puts the wall clock beside the session's own, in microseconds each.
  public func addAnchor(
    session: Int64, time: Int64, wallTime: Int64
  ) throws(HistoryError) {
    try writing {
      _ = try connection.session(session)
      try add(anchor: AnchorRecord(time: time, wallTime: wallTime), to: session)
    }
  }

  /// Says that the events of these numbers are not in the file, and why.
  ///
  /// What was said of the same first number before is replaced.
  public func recordLoss(
    first: Int64, last: Int64, count: Int64, reason: String
  ) throws(HistoryError) {
    try writing {
      try insertLoss(first: first, last: last, count: count, reason: reason)
    }
  }

  /// As `recordLoss`, as part of a transaction.
  func insertLoss(first: Int64, last: Int64, count: Int64, reason: String) throws {
    let insert = try connection.prepare(
      """
      INSERT INTO loss(first_seq, last_seq, count, reason) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT(first_seq) DO UPDATE
      SET last_seq = excluded.last_seq, count = excluded.count, reason = excluded.reason
      """)
    try insert.bind(first, at: 1)
    try insert.bind(last, at: 2)
    try insert.bind(count, at: 3)
    try insert.bind(reason, at: 4)
    try insert.run()
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

  private func add(anchor: AnchorRecord, to session: Int64) throws {
    let insert = try connection.prepare(
      "INSERT OR REPLACE INTO anchor(session, t_us, wall_us) VALUES (?1, ?2, ?3)")
    try insert.bind(session, at: 1)
    try insert.bind(anchor.time, at: 2)
    try insert.bind(anchor.wallTime, at: 3)
    try insert.run()
  }
}
