import StatySQLite

extension HistoryReader {
  /// How many payloads of a session were left out for want of room.
  func payloadsLeftOut(session: Int64) throws(HistoryError) -> Int64 {
    try asHistoryError {
      let rows = try connection.prepare("SELECT payloads_left_out FROM session WHERE id = ?1")
      try rows.bind(session, at: 1)
      defer { rows.reset() }
      return try rows.step() ? rows.int64(at: 0) : 0
    }
  }
}
