import StatySQLite

extension HistoryReader {
  /// The tables behind the views, and the views that only other views are made of, which are private:
  /// a client does well to hide them.
  package func privateTables() throws(HistoryError) -> [String] {
    try asHistoryError {
      let rows = try connection.prepare(
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name")
      var names: [String] = []
      while try rows.step() { names.append(try rows.string(at: 0) ?? "") }
      return names.filter { !HistoryViews.names.contains($0) }
    }
  }
}
