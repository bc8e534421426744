import StatySQLite

/// What the writer knows of a session that it writes to.
package struct SessionLedger {
  package var record: SessionRecord
  package var tail: ChainTail
  /// Payloads left out since the ledger was stored.
  package var payloadsLeftOut: Int64 = 0

  package init(record: SessionRecord, tail: ChainTail) {
    (self.record, self.tail) = (record, tail)
  }
}

extension HistoryWriter {
  /// What is known of a session; read from the file if needed.
  package func ledger(of session: Int64) throws -> SessionLedger {
    if let known = ledgers[session] { return known }
    let record = try connection.session(session)
    let table = ChainTable(connection: connection, session: record)
    let ledger = SessionLedger(record: record, tail: try table.tail())
    ledgers[session] = ledger
    return ledger
  }

  /// Stores the changes of a session and its chain.
  package func store(_ ledger: inout SessionLedger) throws {
    let table = ChainTable(connection: connection, session: ledger.record)
    try table.write(ledger.tail.takeChanged())
    try connection.run(
      """
      UPDATE session SET last_seq = ?2, last_us = ?3, observed = ?4, stored = ?5,
        payloads_left_out = payloads_left_out + ?6
      WHERE id = ?1
      """, ledger.record.id, ledger.record.lastSeq, ledger.record.lastTime, ledger.record.observed,
      ledger.record.stored, ledger.payloadsLeftOut)
    ledger.payloadsLeftOut = 0
    // The counts of an open session are not sealed.
    if ledger.record.ended != .open { try connection.seal(ledger.record.id) }
    ledgers[ledger.record.id] = ledger
  }
}
