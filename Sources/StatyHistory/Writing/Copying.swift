import LibC
import StatySQLite

extension HistoryWriter {
  /// Writes the whole history into a new, compact file that has no log.
  ///
  /// The copy gets its name only when it is whole and synced, even if this process ends before. An
  /// existing file at the path is not changed, unless it is empty.
  package func copy(to path: String) throws(HistoryError) {
    let isReplacing = isEmptyFile(path)
    if !isReplacing, WholeFile.isThere(path) {
      throw .notShared(reason: String(cString: strerror(EEXIST)))
    }
    let draft = WholeFile.draft(of: path)
    defer { DatabaseFile.remove(at: draft) }
    try asHistoryError {
      try connection.run("VACUUM INTO ?1", draft)
    }
    guard WholeFile.isSynced(draft),
      WholeFile.hasMoved(draft, to: path, replacing: isReplacing)
    else {
      throw .notShared(reason: String(cString: strerror(errno)))
    }
  }
}

private func isEmptyFile(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
}
