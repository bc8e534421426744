internal import Synchronization
import LibC

/// The ring files that this process has open.
///
/// The lock on the file is not enough: on some file systems, a process never refuses a lock to itself.
enum OpenRings {
  // With the ID of the process that opened the ring: a forked child has a copy of the table, but no open rings.
  private static let open = Mutex<[FileIdentity: Int32]>([:])

  /// Adds the file; returns false if it was added already.
  static func insert(_ file: FileIdentity) -> Bool {
    let process = getpid()
    return open.withLock { open in
      if open[file] == process { return false }
      open[file] = process
      return true
    }
  }

  /// Whether this process has the ring at this path open.
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
