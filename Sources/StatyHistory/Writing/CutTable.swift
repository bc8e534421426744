import StatySQLite

// The table `cut` and what belongs to it, written and read side by side.
extension Connection {
  /// Stores where the beginning of a session was cut off.
  func store(_ cut: SessionCut, of session: Int64, sum: UInt64) throws {
    let insert = try prepare(
      "INSERT OR REPLACE INTO cut(session, seq, events, t_us, sum) VALUES (?1, ?2, ?3, ?4, ?5)")
    try insert.bind(session, at: 1)
    try insert.bind(cut.seq, at: 2)
    try insert.bind(cut.events, at: 3)
    try insert.bind(cut.time, at: 4)
    try insert.bind(Int64(bitPattern: sum), at: 5)
    try insert.run()
  }

  /// The checksum of a session's cut; 0 if it has none.
  func cutSum(session: Int64) throws -> UInt64 {
    let rows = try prepare("SELECT sum FROM cut WHERE session = ?1")
    try rows.bind(session, at: 1)
    defer { rows.reset() }
    return try rows.step() ? UInt64(bitPattern: rows.int64(at: 0)) : 0
  }

  /// The first number that was not cut off of the session that owns a number; 0 if nothing was.
  func keptSeq(ofSessionAt seq: Int64) throws -> Int64 {
    let rows = try prepare(
      """
      SELECT k.seq FROM session s LEFT JOIN cut k ON k.session = s.id WHERE s.first_seq <= ?1
      ORDER BY s.first_seq DESC LIMIT 1
      """)
    try rows.bind(seq, at: 1)
    defer { rows.reset() }
    return try rows.step() ? rows.int64(at: 0) : 0
  }

  /// Stores where a controller stands at a cut, and returns what stood there before.
  func replace(_ controller: ControllerAtCut) throws -> (cut: ControllerCut?, snapshot: String) {
    let rows = try prepare("SELECT cut, since, since_us, snapshot FROM controller WHERE id = ?1")
    try rows.bind(Int64(controller.controller), at: 1)
    defer { rows.reset() }
    guard try rows.step() else { return (nil, "") }
    let before = rows.isNull(at: 0) ? nil : ControllerCut(rows, at: 0)
    let snapshot = try rows.string(at: 3) ?? ""
    let update = try prepare(
      "UPDATE controller SET cut = ?2, since = ?3, since_us = ?4, snapshot = ?5 WHERE id = ?1")
    try update.bind(Int64(controller.controller), at: 1)
    try update.bind(Int64(controller.cut.standing.rawValue), at: 2)
    try update.bind(controller.cut.since, at: 3)
    try update.bind(controller.cut.time, at: 4)
    try update.bind(controller.snapshot, at: 5)
    try update.run()
    return (before, snapshot)
  }

  /// Makes one row for each reason of what was lost between two numbers.
  func mergeLosses(from first: Int64, through last: Int64) throws {
    let rows = try prepare(
      """
      SELECT min(first_seq), max(last_seq), sum(count), reason FROM loss
      WHERE first_seq BETWEEN ?1 AND ?2 AND last_seq <= ?2 GROUP BY reason
      """)
    try rows.bind(first, at: 1)
    try rows.bind(last, at: 2)
    var merged: [LossRecord] = []
    while try rows.step() {
      merged.append(
        LossRecord(
          firstSeq: rows.int64(at: 0), lastSeq: rows.int64(at: 1), count: rows.int64(at: 2),
          reason: try rows.string(at: 3) ?? ""))
    }
    if merged.isEmpty { return }
    try delete(
      "DELETE FROM loss WHERE first_seq BETWEEN ?1 AND ?2 AND last_seq <= ?2", first, last)
    let insert = try prepare(
      "INSERT INTO loss(first_seq, last_seq, count, reason) VALUES (?1, ?2, ?3, ?4)")
    for loss in merged {
      try insert.bind(loss.firstSeq, at: 1)
      try insert.bind(loss.lastSeq, at: 2)
      try insert.bind(loss.count, at: 3)
      try insert.bind(loss.reason, at: 4)
      try insert.run()
    }
  }

  /// Keeps what the events between two numbers say of where controllers stand.
  func keepStanding(from first: Int64, through last: Int64) throws {
    let update = try prepare(
      """
      UPDATE standing SET
        payload = CASE WHEN asked BETWEEN ?1 AND ?2
          THEN (SELECT d.payload FROM detail d WHERE d.seq = standing.asked) ELSE payload END,
        entered_us = CASE WHEN entered BETWEEN ?1 AND ?2
          THEN (SELECT e.t FROM event e WHERE e.seq = standing.entered) ELSE entered_us END,
        exited_us = CASE WHEN exited BETWEEN ?1 AND ?2
          THEN (SELECT e.t FROM event e WHERE e.seq = standing.exited) ELSE exited_us END
      WHERE controller IN (SELECT DISTINCT what >> 14 FROM event WHERE seq BETWEEN ?1 AND ?2)
        AND (asked BETWEEN ?1 AND ?2 OR entered BETWEEN ?1 AND ?2 OR exited BETWEEN ?1 AND ?2)
      """)
    try update.bind(first, at: 1)
    try update.bind(last, at: 2)
    try update.run()
  }

  /// Runs a statement that deletes what lies between two numbers, and returns how many rows went.
  @discardableResult
  func delete(_ sql: String, _ first: Int64, _ last: Int64) throws -> Int {
    let delete = try prepare(sql)
    try delete.bind(first, at: 1)
    try delete.bind(last, at: 2)
    try delete.run()
    return changes
  }
}
