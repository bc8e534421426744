package import StatyHistory
import StatySQLite

extension HistoryWriter {
  /// Computes a session's checksums anew, for a test that has edited it.
  ///
  /// Earlier damage is sealed, too.
  ///
  /// - Parameter longest: the most events of a run of the chain, if not the default.
  package func reseal(
    session id: Int64, longestRun longest: Int64? = nil
  ) throws(HistoryError) {
    ledgers[id] = nil
    try writing {
      var record = try connection.session(id)
      let table = ChainTable(connection: connection, session: record)
      let hashes = try connection.contentHashes(session: id)
      try table.remove(from: record.firstSeq)
      var tail = ChainTail(previous: record.chainSeed, run: nil)
      tail.longest = longest ?? tail.longest
      (record.stored, record.lastSeq, record.lastTime) = (0, nil, 0)
      var events = try SessionEvents(
        EventCursor(connection, from: record.firstSeq, through: record.lastOwnSeq),
        DetailCursor(connection, from: record.firstSeq, through: record.lastOwnSeq), [])
      while let row = try events.next() {
        guard let hash = events.hash(of: row, hashes, first: record.firstSeq) else {
          throw HistoryError.unknownNumber(seq: row.seq)
        }
        tail.add(row.seq, hash)
        record.stored += 1
        (record.lastSeq, record.lastTime) = (row.seq, row.time)
        // A long session's runs are written when they are full.
        if record.stored % (64 * tail.longest) == 0 { try table.write(tail.takeChanged()) }
      }
      if let stray = events.strayDetail {
        throw HistoryError.damaged("there is a detail but no event \(stray)")
      }
      let drawn = record.lastSeq.map { $0 - record.firstSeq + 1 } ?? 0
      record.observed = max(record.observed, drawn)
      var ledger = SessionLedger(
        record: record, tail: tail, payloadsLeftOut: try connection.payloadsLeftOut(of: id))
      try store(&ledger)
      try connection.seal(id)
      unfollow(id)
      try followRestUnlessGathering()
    }
  }
}
