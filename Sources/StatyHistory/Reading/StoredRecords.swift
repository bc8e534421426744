import StatySQLite

extension Connection {
  /// The controllers of a session after one of them, in the order in which they were added.
  func controllers(session: Int64, after last: Int32 = 0) throws -> [ControllerRecord] {
    let rows = try prepare(
      """
      SELECT c.id, n.text, p.text, c.discipline, c.fidelity, c.snapshot
      FROM controller c LEFT JOIN name n ON n.id = c.name LEFT JOIN name p ON p.id = c.policy
      WHERE c.session = ?1 AND c.id > ?2 ORDER BY c.id
      """)
    try rows.bind(session, at: 1)
    try rows.bind(Int64(last), at: 2)
    var controllers: [ControllerRecord] = []
    var order = ReadingOrder("the controllers of session \(session)")
    while try rows.step() {
      try order.check(rows.int64(at: 0))
      controllers.append(
        ControllerRecord(
          id: Int32(truncatingIfNeeded: rows.int64(at: 0)), session: session,
          name: try rows.string(at: 1) ?? "", policy: try rows.string(at: 2) ?? "",
          discipline: UInt8(clamping: rows.int64(at: 3)),
          fidelity: UInt8(clamping: rows.int64(at: 4)), snapshot: try rows.string(at: 5) ?? ""))
    }
    return controllers
  }

  /// What a session lost, in order of the numbers.
  func losses(of session: SessionRecord) throws -> [LossRecord] {
    let rows = try prepare(
      """
      SELECT first_seq, last_seq, count, reason FROM loss WHERE first_seq BETWEEN ?1 AND ?2
      ORDER BY first_seq
      """)
    try rows.bind(session.firstSeq, at: 1)
    try rows.bind(session.lastOwnSeq, at: 2)
    var losses: [LossRecord] = []
    var order = ReadingOrder("the losses of session \(session.id)")
    while try rows.step() {
      try order.check(rows.int64(at: 0))
      losses.append(
        LossRecord(
          firstSeq: rows.int64(at: 0), lastSeq: rows.int64(at: 1), count: rows.int64(at: 2),
          reason: try rows.string(at: 3) ?? ""))
    }
    return losses
  }

  /// The sessions in the order of their numbers of events.
  func sessions() throws -> [SessionRecord] {
    // As they lie in the table: an index may lead to one from everywhere.
    let rows = try sessionRows(next: "NULL", "s NOT INDEXED")
    var sessions: [SessionRecord] = []
    var order = ReadingOrder("the sessions")
    while try rows.step() {
      try order.check(rows.int64(at: 0))
      sessions.append(try SessionRecord(rows))
    }
    sessions.sort { $0.firstSeq < $1.firstSeq }
    for index in sessions.indices.dropFirst() {
      sessions[index - 1].lastOwnSeq = sessions[index].firstSeq - 1
    }
    return sessions
  }

  /// The session with this number, if there is one.
  func sessionIfKnown(_ id: Int64) throws -> SessionRecord? {
    let rows = try sessionRows(
      next: "(SELECT min(n.first_seq) FROM session n WHERE n.first_seq > s.first_seq)", "s",
      "WHERE s.id = ?1")
    try rows.bind(id, at: 1)
    defer { rows.reset() }
    return try rows.step() ? try SessionRecord(rows) : nil
  }

  /// - Parameter next: what says where the next session begins.
  private func sessionRows(
    next: String, _ sessions: String, _ condition: String = ""
  ) throws -> Statement {
    try prepare(
      """
      SELECT s.id, uuid, app, app_version, os, pid, wall_us, first_seq, last_seq, last_us, ended,
        observed, stored, rules, judged_us, run, \(next)
      FROM session \(sessions) \(condition)
      """)
  }

  /// The session with this number.
  func session(_ id: Int64) throws -> SessionRecord {
    guard let session = try sessionIfKnown(id) else { throw HistoryError.noSession(id) }
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
      rules: rows.isNull(at: 13) ? nil : Int(rows.int64(at: 13)),
      judgedTime: rows.isNull(at: 14) ? nil : rows.int64(at: 14),
      run: try rows.string(at: 15),
      lastOwnSeq: rows.isNull(at: 16) ? Int64.max : rows.int64(at: 16) - 1)
  }
}
