import LibC
import StatySQLite

extension HistoryWriter {
  /// Writes the whole history into a new file of its own, compact and without a log beside it.
  ///
  /// The copy has its name when it is whole and synced, and not before, whatever ends this process
  /// meanwhile. What is at the path already is left alone, unless it is an empty file.
  package func copy(to path: String) throws(HistoryError) {
    let isReplacing = isEmptyFile(path)
    if !isReplacing, isThere(path) { throw .notShared(reason: String(cString: strerror(EEXIST))) }
    let draft = "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max)).part"
    defer { for suffix in ["", "-journal"] { unlink(draft + suffix) } }
    try asHistoryError {
      let vacuum = try connection.prepare("VACUUM INTO ?1")
      try vacuum.bind(draft, at: 1)
      try vacuum.run()
    }
    guard isSynced(draft), hasMoved(draft, to: path, replacing: isReplacing) else {
      throw .notShared(reason: String(cString: strerror(errno)))
    }
  }
}

private func isSynced(_ path: String) -> Bool {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return false }
  defer { _ = systemClose(descriptor) }
  return fsync(descriptor) == 0
}

private func hasMoved(_ draft: String, to path: String, replacing: Bool) -> Bool {
  if replacing { return rename(draft, path) == 0 }
  // A link is never made over what has come there meanwhile, as a renaming would be.
  if link(draft, path) == 0 { return true }
  // Some file systems have no links.
  guard [EPERM, ENOTSUP, EOPNOTSUPP].contains(errno), !isThere(path) else { return false }
  return rename(draft, path) == 0
}

private func isThere(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0
}

private func isEmptyFile(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
}

// Inside of a type the method of the same name would be found first.
private let systemClose = close
