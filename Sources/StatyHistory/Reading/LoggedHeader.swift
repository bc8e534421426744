extension HistoryFile {
  /// The beginning of a file, as the log next to it has it.
  ///
  /// If power is lost while the log is copied into the file, the log still has a whole copy.
  package static func loggedHeader(of path: String) -> [UInt8]? {
    guard let first = (try? PageSource(path))?.page(1) else { return nil }
    return Array(first.prefix(100))
  }
}
