import StatySQLite

extension HistoryWriter {
  /// The numbers that go next if the beginning of a session is cut off; none if it has only its
  /// newest events.
  ///
  /// - Parameter runs: so many of the newest runs of events stay.
  package func oldest(
    session id: Int64, keeping runs: Int = 2
  ) throws(HistoryError) -> ClosedRange<Int64>? {
    precondition(
      runs > 0, "A session's newest run cannot be cut off; keep it, or remove the session.")
    return try asHistoryError {
      let session = try connection.session(id)
      let rows = try connection.prepare(
        """
        SELECT last_seq FROM chain WHERE first_seq BETWEEN ?1 AND ?2 AND count > 0
        ORDER BY first_seq LIMIT ?3
        """)
      try rows.bind(session.firstSeq, at: 1)
      try rows.bind(session.lastOwnSeq, at: 2)
      try rows.bind(Int64(runs) + 1, at: 3)
      defer { rows.reset() }
      guard try rows.step() else { return nil }
      let last = rows.int64(at: 0)
      for _ in 0..<runs where try !rows.step() { return nil }
      return last >= session.keptSeq ? session.keptSeq...last : nil
    }
  }

  /// Cuts off the beginning of a session.
  ///
  /// What was found in the session is forgotten with it: it has to be checked anew.
  ///
  /// - Parameters:
  ///   - last: the end of what `oldest` gave.
  ///   - controllers: where those stand whose events are among what goes.
  package func cut(
    session id: Int64, through last: Int64, _ controllers: [ControllerAtCut]
  ) throws(HistoryError) {
    try writing {
      var ledger = try ledger(of: id)
      let session = ledger.record
      let table = ChainTable(connection: connection, session: session)
      let runs = try table.runs(from: session.firstSeq, through: last)
      guard let tail = ledger.tail.run, tail.first > last, let run = runs.last, run.last == last
      else { throw HistoryError.damaged("session \(id) cannot be cut at \(last)") }
      let time = try connection.time(of: last) ?? session.cut?.time ?? 0
      try connection.keepStanding(from: session.keptSeq, through: last)
      let events = try removeEvents(of: session, through: last)
      let anchor = ChainRun(first: session.firstSeq, last: last, count: 0, sum: run.sum)
      try connection.delete(
        "DELETE FROM chain WHERE first_seq BETWEEN ?1 AND ?2", session.firstSeq, last)
      try table.write([anchor])
      let cut = SessionCut(
        seq: last + 1, events: (session.cut?.events ?? 0) + Int64(events), time: time)
      var sum = CutHash.session(session, cut, anchor: anchor.sum)
      if let old = session.cut {
        // What the controllers had added stays, but for those that are replaced.
        sum &+= try connection.cutSum(session: id)
        sum &-= CutHash.session(session, old, anchor: runs[0].sum)
      }
      sum &+= try replace(controllers, in: session)
      try connection.store(cut, of: id, sum: sum)
      ledger.record.stored -= Int64(events)
      ledger.record.cut = cut
      try store(&ledger)
      // Several losses have become one.
      try connection.seal(id)
    }
  }

  private func removeEvents(of session: SessionRecord, through last: Int64) throws -> Int {
    for table in ["asking", "detail"] {
      try connection.delete(
        "DELETE FROM \(table) WHERE seq BETWEEN ?1 AND ?2", session.keptSeq, last)
    }
    let events = try connection.delete(
      "DELETE FROM event WHERE seq BETWEEN ?1 AND ?2", session.keptSeq, last)
    try connection.mergeLosses(from: session.firstSeq, through: last)
    for table in ["finding", "checked"] {
      let delete = try connection.prepare("DELETE FROM \(table) WHERE session = ?1")
      try delete.bind(session.id, at: 1)
      try delete.run()
    }
    return events
  }

  /// Stores where controllers stand, and returns what that adds to the cut's checksum.
  private func replace(
    _ controllers: [ControllerAtCut], in session: SessionRecord
  ) throws -> UInt64 {
    if controllers.contains(where: { catalog.hashes.controller($0.controller) == 0 }) {
      try catalog.load(session: session.id, connection)
    }
    var sum: UInt64 = 0
    for one in controllers {
      let whose = catalog.hashes.controller(one.controller)
      let before = try connection.replace(one)
      sum &+= CutHash.controller(whose, one.cut, one.snapshot, first: session.firstSeq)
      sum &-= CutHash.controller(
        whose, before.cut, before.snapshot, first: session.firstSeq)
    }
    return sum
  }
}

extension Connection {
  fileprivate func time(of seq: Int64) throws -> Int64? {
    let rows = try prepare("SELECT t FROM event WHERE seq = ?1")
    try rows.bind(seq, at: 1)
    defer { rows.reset() }
    return try rows.step() ? rows.int64(at: 0) : nil
  }
}
