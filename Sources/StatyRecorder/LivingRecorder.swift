internal import CStatyRing
import LibC

/// A process of the same user that records into a history at this moment.
package struct LivingRecorder: Hashable, Sendable {
  /// The number of its process.
  package let pid: Int32

  /// Finds the process that records into the history at `path`; `nil` if there is none.
  ///
  /// This does not keep a recorder from opening the history: the lock is tried only on a ring whose process
  /// is alive.
  package init?(at path: String) {
    guard let ring = try? RingFile(peekingAt: path + "-ring") else { return nil }
    defer { ring.unlock() }
    guard let header = ring.header, let pid = Int32(exactly: header.pid), pid > 0,
      isOwn(ring.descriptor), kill(pid, 0) == 0 || errno == EPERM
    else { return nil }
    // Closing the descriptor gives the lock back, if this gets it.
    guard flock(ring.descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
    self.pid = pid
  }
}

/// Whether the file behind the descriptor belongs to the user of this process.
private func isOwn(_ descriptor: Int32) -> Bool {
  var status = stat()
  return fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
}
