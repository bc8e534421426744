import StatySQLite

extension HistoryWriter {
  /// Makes a session's checksums anew over what is there, for a tool that has edited it.
  ///
  /// What was wrong before is sealed with the rest: verify first.
  package func reseal(session id: Int64) throws(HistoryError) {
    try reseal(session: id, longestRun: nil)
  }

  /// - Parameter longest: how many events a run of the chain may have, if not as many as usual.
  package func reseal(session id: Int64, longestRun longest: Int64?) throws(HistoryError) {
    ledgers[id] = nil
    try writing {
      var record = try connection.session(id)
      let table = ChainTable(connection: connection, session: record)
      let hashes = try connection.contentHashes(session: id)
      try table.remove(from: record.keptSeq)
      var tail = ChainTail(previous: try resealCut(record, table, hashes), run: nil)
      tail.longest = longest ?? tail.longest
      (record.stored, record.lastSeq, record.lastTime) = (0, nil, 0)
      var walk = try ContentWalk(connection, record, hashes)
      while let step = try walk.next() {
        guard case .event(let row, let hash?) = step else { throw HistoryError(unsealable: step) }
        tail.add(row.seq, hash)
        record.stored += 1
        (record.lastSeq, record.lastTime) = (row.seq, row.time)
        // A long session's runs are written as they are filled.
        if record.stored % (64 * tail.longest) == 0 { try table.write(tail.takeChanged()) }
      }
      let drawn = record.lastSeq.map { $0 - record.firstSeq + 1 } ?? 0
      record.observed = max(record.observed, drawn)
      var ledger = SessionLedger(
        record: record, tail: tail, standing: try SessionStanding(connection, session: id))
      try store(&ledger)
      try connection.seal(id)
    }
  }
}

extension HistoryWriter {
  /// Seals the cut of a session, if it has one, and gives the sum before its first run.
  private func resealCut(
    _ session: SessionRecord, _ table: ChainTable, _ hashes: ContentHashes
  ) throws -> UInt64 {
    guard let cut = session.cut else { return session.chainSeed }
    var anchor = ChainRun(first: session.firstSeq, last: cut.seq - 1, count: 0, sum: 0)
    // One that is damaged is no better than any other sum.
    anchor.sum = try table.runs(from: session.firstSeq).first { $0.count == 0 }?.sum ?? 0
    try table.remove(from: session.firstSeq)
    try table.write([anchor])
    let controllers = try connection.controllers(session: session.id)
    try connection.store(
      cut, of: session.id,
      sum: CutHash.whole(session, cut, anchor: anchor.sum, controllers, hashes))
    return anchor.sum
  }
}

extension HistoryError {
  fileprivate init(unsealable step: ContentWalk.Step) {
    switch step {
    case .event(let row, _): self = .unknownNumber(seq: row.seq)
    case .strayDetail(let seq): self = .damaged("there is a detail but no event \(seq)")
    }
  }
}
