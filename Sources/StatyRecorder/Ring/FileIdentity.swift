import LibC

/// The identity of a file, independent of its path.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// The identity of the file at `path`; `nil` if there is none.
  init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether the file is not at `path` any more: it was removed, or another one has its place.
  func isGone(from path: String) -> Bool {
    var status = stat()
    if stat(path, &status) == 0 { return FileIdentity(status) != self }
    // After another failure, the file may be there.
    return errno == ENOENT || errno == ENOTDIR
  }
}
