extension HistoryFile {
  /// What a file begins with by the log beside it.
  ///
  /// While the log is copied into the file the power may go, and what it tears there is whole in the log
  /// still.
  package static func loggedHeader(of path: String) -> [UInt8]? {
    guard let first = (try? PageSource(path))?.page(1) else { return nil }
    return Array(first.prefix(100))
  }
}
