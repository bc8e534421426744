import LibC

/// A file that is written under another name and renamed when it is whole.
package enum WholeFile {
  /// The path of the unfinished file.
  package static func draft(of path: String) -> String {
    "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max)).part"
  }

  /// Whether there is anything at a path.
  package static func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Gives a draft the permissions of the file that it replaces; does nothing if there is none.
  package static func giveRights(of path: String, to draft: Int32) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    fchmod(draft, status.st_mode & 0o777)
  }

  /// Renames the draft to its path; `errno` has the error.
  ///
  /// If it replaces nothing, the draft may still exist afterwards.
  package static func hasMoved(_ draft: String, to path: String, replacing: Bool) -> Bool {
    if replacing { return rename(draft, path) == 0 }
    // A link never replaces a file that was made meanwhile; a rename would.
    if link(draft, path) == 0 { return true }
    // Some file systems have no links.
    guard [EPERM, ENOTSUP, EOPNOTSUPP].contains(errno), !isThere(path) else { return false }
    return rename(draft, path) == 0
  }

  /// Makes the file survive a loss of power; `errno` has the error.
  package static func isSynced(_ path: String) -> Bool {
    let descriptor = LibC.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { _ = LibC.close(descriptor) }
    #if canImport(Darwin)
      // On Apple's systems `fsync` leaves data in the disk's own cache. Some file systems support
      // only `fsync`.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(descriptor) == 0
  }
}
