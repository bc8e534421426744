import LibC

/// A file that is written beside its place and put there when it is whole.
package enum WholeFile {
  /// Where it is written.
  package static func draft(of path: String) -> String {
    "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max)).part"
  }

  /// Whether there is anything at a path.
  package static func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Lets a draft be read and written by whom what it replaces could be; nothing if it replaces nothing.
  package static func giveRights(of path: String, to draft: Int32) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    fchmod(draft, status.st_mode & 0o777)
  }

  /// Puts it in its place; `errno` says why not.
  ///
  /// A draft that was not renamed, for it replaces nothing, may still be there.
  package static func hasMoved(_ draft: String, to path: String, replacing: Bool) -> Bool {
    if replacing { return rename(draft, path) == 0 }
    // A link is never made over what has come there meanwhile, as a renaming would be.
    if link(draft, path) == 0 { return true }
    // Some file systems have no links.
    guard [EPERM, ENOTSUP, EOPNOTSUPP].contains(errno), !isThere(path) else { return false }
    return rename(draft, path) == 0
  }

  /// Makes it survive a loss of power; `errno` says why not.
  package static func isSynced(_ path: String) -> Bool {
    let descriptor = LibC.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { _ = LibC.close(descriptor) }
    #if canImport(Darwin)
      // fsync leaves it in the disk's own cache there. Some file systems only have that.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(descriptor) == 0
  }
}
