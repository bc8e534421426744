import StatySQLite

extension SQLiteError {
  /// Whether a view may have stumbled over something that it reads as JSON.
  var isAboutJSON: Bool { code == .error && message == "malformed JSON" }
}

extension Connection {
  /// What to say if something that views read as JSON is none; a recorder writes no such thing.
  ///
  /// A view cannot look before it reads: SQLite 3.40 has no function for it that a view may call.
  func brokenSnapshot() throws(SQLiteError) -> HistoryError? {
    let rows = try prepare(
      "SELECT id, session FROM controller WHERE snapshot GLOB '{*}' AND NOT json_valid(snapshot)")
    guard try rows.step() else { return nil }
    return .damaged(
      "where controller \(rows.int64(at: 0)) of session \(rows.int64(at: 1)) stood cannot be read")
  }
}
