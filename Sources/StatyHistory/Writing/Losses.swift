import StatySQLite

// Events that were lost, as the file says it: runs of numbers without an event, each with its reason.
extension HistoryWriter {
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

  /// Records every number between two that has no event as lost.
  ///
  /// Call it when every event up to `last` has been stored or is known to be lost.
  ///
  /// - Parameter reason: returns the reason for so many missing numbers.
  /// - Returns: how many numbers are missing.
  @discardableResult
  package func recordMissing(
    from first: Int64, through last: Int64, reason: (Int64) -> String
  ) throws(HistoryError) -> Int64 {
    let gaps: [ClosedRange<Int64>] = try asHistoryError {
      try self.gaps(from: first, through: last)
    }
    if gaps.isEmpty { return 0 }
    let count = gaps.reduce(0) { $0 + Int64($1.count) }
    let reason = reason(count)
    // In one transaction: threads that drop events in turn leave a gap after every other event.
    try writing {
      try insert(
        gaps.map { gap in
          LossRecord(
            firstSeq: gap.lowerBound, lastSeq: gap.upperBound, count: Int64(gap.count),
            reason: reason)
        })
    }
    return count
  }

  /// How many events of a session are recorded as lost, by reason.
  package func losses(session: Int64) throws(HistoryError) -> [String: Int64] {
    try asHistoryError {
      let record = try connection.session(session)
      let rows = try connection.prepare(
        "SELECT reason, sum(count) FROM loss WHERE first_seq BETWEEN ?1 AND ?2 GROUP BY reason",
        record.firstSeq, record.lastOwnSeq)
      var losses: [String: Int64] = [:]
      while try rows.step() { losses[try rows.string(at: 0) ?? ""] = rows.int64(at: 1) }
      return losses
    }
  }

  /// The runs of numbers between two that have no event and are not recorded as lost.
  private func gaps(from first: Int64, through last: Int64) throws -> [ClosedRange<Int64>] {
    guard first <= last, try eventCount(from: first, through: last) != last - first + 1 else {
      return []
    }
    let rows = try connection.prepare(
      """
      SELECT seq, seq FROM event WHERE seq BETWEEN ?1 AND ?2
      UNION ALL SELECT first_seq, last_seq FROM loss WHERE first_seq BETWEEN ?1 AND ?2
      ORDER BY 1
      """, first, last)
    var gaps: [ClosedRange<Int64>] = []
    var next = first
    while try rows.step() {
      let start = rows.int64(at: 0)
      if start > next { gaps.append(next...(start - 1)) }
      next = max(next, rows.int64(at: 1) + 1)
    }
    if next <= last { gaps.append(next...last) }
    return gaps
  }

  package func eventCount(from first: Int64, through last: Int64) throws -> Int64 {
    let rows = try connection.prepare(
      "SELECT count(*) FROM event WHERE seq BETWEEN ?1 AND ?2", first, last)
    _ = try rows.step()
    return rows.int64(at: 0)
  }
}
