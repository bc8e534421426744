import Staty
import StatySQLite

extension HistoryWriter {
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

  /// Removes a session with everything that only it has.
  package func remove(session: Int64) throws(HistoryError) {
    try writing {
      let record = try connection.session(session)
      for table in ["event", "asking", "detail", "visit"] {
        try connection.run(
          "DELETE FROM \(table) WHERE seq BETWEEN ?1 AND ?2", record.firstSeq, record.lastOwnSeq)
      }
      for table in ["chain", "loss"] {
        try connection.run(
          "DELETE FROM \(table) WHERE first_seq BETWEEN ?1 AND ?2", record.firstSeq,
          record.lastOwnSeq)
      }
      try connection.run(
        "DELETE FROM route WHERE controller IN (SELECT id FROM controller WHERE session = ?1)",
        session)
      (ledgers[session], followings[session], endFindings[session]) = (nil, nil, nil)
      unfollowed.remove(session)
      for table in ["anchor", "alias", "continuation", "controller", "finding"] {
        try connection.run("DELETE FROM \(table) WHERE session = ?1", session)
      }
      try connection.run("DELETE FROM session WHERE id = ?1", session)
    }
  }

  /// Removes the names and the places in the code that belong to no session any more.
  ///
  /// Only a tool may do that, as the last thing that it writes: a recorder knows names that no event has yet.
  package func removeUnused() throws(HistoryError) {
    try writing {
      try connection.run(
        """
        DELETE FROM site WHERE id NOT IN (
          SELECT coalesce(ref, 0) FROM event WHERE what & 31 = \(EventKind.enqueued.rawValue)
          UNION SELECT id FROM alias WHERE kind = \(AliasKind.site.rawValue))
        """)
      try connection.run(
        """
        DELETE FROM name WHERE id NOT IN (
          SELECT coalesce(state, 0) FROM event UNION SELECT coalesce(state, 0) FROM visit
          UNION SELECT coalesce("from", 0) FROM visit UNION SELECT coalesce(state, 0) FROM finding
          UNION SELECT name FROM controller UNION SELECT policy FROM controller
          UNION SELECT "to" FROM route UNION SELECT "from" FROM route
          UNION SELECT coalesce(asked, 0) FROM detail
          UNION SELECT coalesce(refused_from, 0) FROM detail
          UNION SELECT coalesce(refused_needs, 0) FROM detail
          UNION SELECT id FROM alias WHERE kind = \(AliasKind.name.rawValue))
        """)
    }
    catalog = try asHistoryError { try Catalog(connection) }
  }

  /// The sessions, the oldest first.
  package func sessions() throws(HistoryError) -> [SessionRecord] {
    try asHistoryError { try connection.sessions() }
  }

  /// The bytes of the file and its log, including free pages.
  package func fileBytes() throws(HistoryError) -> Int64 {
    try asHistoryError { (try connection.integerPragma("page_count") ?? 0) * 4_096 }
  }

  /// Makes the file smaller by some of its free pages.
  ///
  /// It does nothing for a file that was made without auto-vacuum.
  package func giveBack(pages: Int) throws(HistoryError) {
    try asHistoryError { try connection.execute("PRAGMA incremental_vacuum(\(pages))") }
  }

  /// The bytes of the file's pages in use.
  package func usedBytes() throws(HistoryError) -> Int64 {
    try asHistoryError {
      let pages = try connection.integerPragma("page_count")
      let free = try connection.integerPragma("freelist_count")
      return ((pages ?? 0) - (free ?? 0)) * 4_096
    }
  }
}
