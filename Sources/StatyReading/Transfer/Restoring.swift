package import StatyHistory
import StatySQLite

// Writing sessions that are over, as another file has them. A recorder never needs this.
extension HistoryWriter {
  /// Begins a session.
  ///
  /// - Parameter id: its number in the file; by default the next.
  package func restore(_ opening: SessionOpening, as id: Int64?) throws(HistoryError) -> Int64 {
    let session = try beginSession(opening)
    guard let id, id != session else { return session }
    try writing {
      try connection.run("UPDATE session SET id = ?2 WHERE id = ?1", session, id)
      try connection.run("UPDATE anchor SET session = ?2 WHERE session = ?1", session, id)
    }
    return id
  }

  /// Stores losses.
  package func restore(_ losses: [LossRecord]) throws(HistoryError) {
    if losses.isEmpty { return }
    try writing { try insert(losses) }
  }

  /// Stores how a session ended.
  ///
  /// - Parameters:
  ///   - observed: how many numbers it had drawn, if that is known.
  ///   - payloadsLeftOut: how many payloads had no room, if that is known.
  package func restoreEnd(
    of session: Int64, _ ended: SessionEnd, observed: Int64?, payloadsLeftOut: Int64?
  ) throws(HistoryError) {
    try writing {
      try connection.run(
        """
        UPDATE session SET ended = ?2, observed = coalesce(?3, observed),
          payloads_left_out = coalesce(?4, payloads_left_out) WHERE id = ?1
        """, session, ended.rawValue, observed, payloadsLeftOut)
      try connection.seal(session)
      try endFollowing(session)
    }
    ledgers[session] = nil
  }
}
