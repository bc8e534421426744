import StatySQLite

/// What the writer knows of a session that it writes to.
struct SessionLedger {
  var record: SessionRecord
  var tail: ChainTail
  /// Payloads left out since the ledger was stored.
  var payloadsLeftOut: Int64 = 0
}

extension HistoryWriter {
  /// What is known of a session; read from the file if needed.
  func ledger(of session: Int64) throws -> SessionLedger {
    if let known = ledgers[session] { return known }
    let record = try connection.session(session)
    let table = ChainTable(connection: connection, session: record)
    let ledger = SessionLedger(record: record, tail: try table.tail())
    ledgers[session] = ledger
    return ledger
  }

  /// Stores the changes of a session and its chain.
  func store(_ ledger: inout SessionLedger) throws {
    let table = ChainTable(connection: connection, session: ledger.record)
    try table.write(ledger.tail.takeChanged())
    let update = try connection.prepare(
      """
      UPDATE session SET last_seq = ?2, last_us = ?3, observed = ?4, stored = ?5,
        payloads_left_out = payloads_left_out + ?6
      WHERE id = ?1
      """)
    try update.bind(ledger.record.id, at: 1)
    if let last = ledger.record.lastSeq {
      try update.bind(last, at: 2)
    } else {
      try update.bindNull(at: 2)
    }
    try update.bind(ledger.record.lastTime, at: 3)
    try update.bind(ledger.record.observed, at: 4)
    try update.bind(ledger.record.stored, at: 5)
    try update.bind(ledger.payloadsLeftOut, at: 6)
    try update.run()
    ledger.payloadsLeftOut = 0
    // The counts of an open session are not sealed.
    if ledger.record.ended != .open { try connection.seal(ledger.record.id) }
    ledgers[ledger.record.id] = ledger
  }
}
