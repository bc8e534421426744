import StatySQLite

// Writes sessions that are over as another file has them; a recorder never needs this.
extension HistoryWriter {
  /// Begins a session.
  ///
  /// - Parameter id: its number in the file; by default the next.
  package func restore(_ opening: SessionOpening, as id: Int64?) throws(HistoryError) -> Int64 {
    let session = try beginSession(opening)
    guard let id, id != session else { return session }
    try writing {
      let anchors = try connection.prepare("UPDATE anchor SET session = ?2 WHERE session = ?1")
      let update = try connection.prepare("UPDATE session SET id = ?2 WHERE id = ?1")
      for statement in [update, anchors] {
        try statement.bind(session, at: 1)
        try statement.bind(id, at: 2)
        try statement.run()
      }
    }
    return id
  }

  /// Stores what is lost.
  package func restore(_ losses: [LossRecord]) throws(HistoryError) {
    if losses.isEmpty { return }
    try writing { try insert(losses) }
  }

  /// Says how a session ended.
  ///
  /// - Parameters:
  ///   - observed: how many numbers it had drawn, if that is known.
  ///   - payloadsLeftOut: how many payloads had no room, if that is known.
  package func restoreEnd(
    of session: Int64, _ ended: SessionEnd, observed: Int64?, payloadsLeftOut: Int64?
  ) throws(HistoryError) {
    try writing {
      let update = try connection.prepare(
        """
        UPDATE session SET ended = ?2, observed = coalesce(?3, observed),
          payloads_left_out = coalesce(?4, payloads_left_out) WHERE id = ?1
        """)
      try update.bind(session, at: 1)
      try update.bind(ended.rawValue, at: 2)
      try update.bind(observed, orNullAt: 3)
      try update.bind(payloadsLeftOut, orNullAt: 4)
      try update.run()
      try connection.seal(session)
      try endFollowing(session)
    }
    ledgers[session] = nil
  }

  /// Gives a session another name, and controllers the fidelity that their events turned out to
  /// have; then the session has to be sealed anew.
  package func rename(
    session: Int64, uuid: String?, threeKind controllers: [Int32]
  ) throws(HistoryError) {
    if uuid == nil, controllers.isEmpty { return }
    try writing {
      if let uuid {
        let update = try connection.prepare("UPDATE session SET uuid = ?2 WHERE id = ?1")
        try update.bind(session, at: 1)
        try update.bind(uuid, at: 2)
        try update.run()
      }
      let update = try connection.prepare("UPDATE controller SET fidelity = 3 WHERE id = ?1")
      for controller in controllers {
        try update.bind(Int64(controller), at: 1)
        try update.run()
      }
    }
    try reseal(session: session)
  }
}

extension Statement {
  fileprivate func bind(_ number: Int64?, orNullAt index: Int) throws(SQLiteError) {
    if let number {
      try bind(number, at: index)
    } else {
      try bindNull(at: index)
    }
  }
}
