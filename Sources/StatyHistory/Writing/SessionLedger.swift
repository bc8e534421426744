import StatySQLite

/// What the writer knows of a session that it writes to.
package struct SessionLedger {
  package var record: SessionRecord
  package var tail: ChainTail
  package var payloadsLeftOut: Int64
  /// The part of the stored counts in the seal.
  fileprivate var sealed: UInt64

  package init(record: SessionRecord, tail: ChainTail, payloadsLeftOut: Int64) {
    (self.record, self.tail, self.payloadsLeftOut) = (record, tail, payloadsLeftOut)
    sealed = SessionSeal.part(observed: record.observed, payloadsLeftOut: payloadsLeftOut)
  }
}

extension HistoryWriter {
  /// What is known of a session; read from the file if needed.
  package func ledger(of session: Int64) throws -> SessionLedger {
    if let known = ledgers[session] { return known }
    let record = try connection.session(session)
    let table = ChainTable(connection: connection, session: record)
    let ledger = SessionLedger(
      record: record, tail: try table.tail(),
      payloadsLeftOut: try connection.payloadsLeftOut(of: session))
    ledgers[session] = ledger
    return ledger
  }

  /// Stores the changes of a session and its chain.
  package func store(_ ledger: inout SessionLedger) throws {
    let table = ChainTable(connection: connection, session: ledger.record)
    try table.write(ledger.tail.takeChanged())
    let counts = SessionSeal.part(
      observed: ledger.record.observed, payloadsLeftOut: ledger.payloadsLeftOut)
    // A missing seal stays missing.
    let seal = try connection.storedSeal(of: ledger.record.id).map {
      Int64(bitPattern: $0 &- ledger.sealed &+ counts)
    }
    try connection.run(
      """
      UPDATE session SET last_seq = ?2, last_us = ?3, observed = ?4, stored = ?5,
        payloads_left_out = ?6, seal = ?7
      WHERE id = ?1
      """, ledger.record.id, ledger.record.lastSeq, ledger.record.lastTime, ledger.record.observed,
      ledger.record.stored, ledger.payloadsLeftOut, seal)
    ledger.sealed = counts
    ledgers[ledger.record.id] = ledger
  }
}
