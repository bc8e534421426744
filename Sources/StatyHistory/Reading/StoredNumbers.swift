import StatySQLite

extension Connection {
  /// The hashes of every name and place in the file and of the session's controllers, laid over
  /// those that are known.
  func contentHashes(
    over known: ContentHashes = ContentHashes(), session: Int64
  ) throws -> ContentHashes {
    var hashes = known
    let names = try prepare("SELECT id, text FROM name ORDER BY id")
    while try names.step() {
      guard let number = Int32(exactly: names.int64(at: 0)) else { continue }
      try names.withText(at: 1) { bytes in
        hashes.names.set(number, to: bytes.map(ContentHash.bytes) ?? 0)
      }
    }
    let sites = try prepare("SELECT id, file, line FROM site ORDER BY id")
    while try sites.step() {
      guard let number = Int32(exactly: sites.int64(at: 0)) else { continue }
      let hash = ContentHash.site(file: try sites.string(at: 1) ?? "", line: sites.int64(at: 2))
      hashes.sites.set(number, to: hash)
    }
    for (ordinal, controller) in try controllers(session: session).enumerated() {
      hashes.add(controller, ordinal: ordinal)
    }
    return hashes
  }

  /// The controllers of a session after one of them, in the order in which they were added.
  func controllers(session: Int64, after last: Int32 = 0) throws -> [ControllerRecord] {
    let rows = try prepare(
      """
      SELECT c.id, n.text, p.text, c.fidelity, c.snapshot
      FROM controller c LEFT JOIN name n ON n.id = c.name LEFT JOIN name p ON p.id = c.policy
      WHERE c.session = ?1 AND c.id > ?2 ORDER BY c.id
      """)
    try rows.bind(session, at: 1)
    try rows.bind(Int64(last), at: 2)
    var controllers: [ControllerRecord] = []
    while try rows.step() {
      controllers.append(
        ControllerRecord(
          id: Int32(truncatingIfNeeded: rows.int64(at: 0)), session: session,
          name: try rows.string(at: 1) ?? "", policy: try rows.string(at: 2) ?? "",
          fidelity: UInt8(clamping: rows.int64(at: 3)), snapshot: try rows.string(at: 4) ?? ""))
    }
    return controllers
  }

  /// The sessions in the order of their numbers of events; only the one with this number if given.
  func sessions(_ id: Int64? = nil) throws -> [SessionRecord] {
    let rows = try prepare(
      """
      SELECT id, uuid, app, app_version, os, pid, wall_us, first_seq, last_seq, last_us, ended,
        observed, stored,
        (SELECT min(n.first_seq) FROM session n WHERE n.first_seq > s.first_seq)
      FROM session s WHERE ?1 IS NULL OR id = ?1 ORDER BY first_seq
      """)
    if let id { try rows.bind(id, at: 1) }
    var sessions: [SessionRecord] = []
    while try rows.step() { sessions.append(try SessionRecord(rows)) }
    return sessions
  }

  /// The session with this number.
  func session(_ id: Int64) throws -> SessionRecord {
    guard let session = try sessions(id).first else { throw HistoryError.noSession(id) }
    return session
  }
}

extension SessionRecord {
  fileprivate init(_ rows: Statement) throws {
    self.init(
      id: rows.int64(at: 0), uuid: try rows.string(at: 1) ?? "", app: try rows.string(at: 2) ?? "",
      appVersion: try rows.string(at: 3) ?? "", os: try rows.string(at: 4) ?? "",
      pid: Int32(truncatingIfNeeded: rows.int64(at: 5)), wallTime: rows.int64(at: 6),
      firstSeq: rows.int64(at: 7), lastSeq: rows.isNull(at: 8) ? nil : rows.int64(at: 8),
      lastTime: rows.int64(at: 9), ended: SessionEnd(rawValue: try rows.string(at: 10) ?? ""),
      observed: rows.int64(at: 11), stored: rows.int64(at: 12),
      lastOwnSeq: rows.isNull(at: 13) ? Int64.max : rows.int64(at: 13) - 1)
  }
}
