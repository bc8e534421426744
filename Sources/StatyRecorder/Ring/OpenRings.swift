internal import Synchronization
import LibC

/// The ring files that this process holds.
///
/// The lock on the file alone does not tell: some file systems make of it a lock that a process
/// never refuses to itself.
enum OpenRings {
  // With the process that opened it: a forked child has a copy of the set, but none of the rings.
  private static let open = Mutex<[FileIdentity: Int32]>([:])

  /// Notes the file, unless it is noted already.
  static func insert(_ file: FileIdentity) -> Bool {
    let process = getpid()
    return open.withLock { open in
      if open[file] == process { return false }
      open[file] = process
      return true
    }
  }

  /// Whether this process holds the file at a path.
  static func holds(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return false }
    let (file, process) = (FileIdentity(status), getpid())
    return open.withLock { $0[file] == process }
  }

  static func remove(_ file: FileIdentity) {
    let process = getpid()
    open.withLock { open in
      if open[file] == process { open[file] = nil }
    }
  }
}
