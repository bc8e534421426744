internal import CStatyRing
import LibC
import StatyHistory

/// A process of the same user that is recording into a history.
package struct LivingRecorder: Hashable, Sendable {
  /// The process ID.
  package let pid: Int32

  /// Finds the process that is recording into the history at `path`; `nil` if there is none.
  ///
  /// This does not keep a recorder from opening the history: it tries the lock only if the ring's process is
  /// running.
  package init?(at path: String) {
    guard let ring = try? RingFile(peekingAt: path + HistoryFile.ringEnd) else { return nil }
    defer { ring.unlock() }
    guard let header = ring.header, let pid = Int32(exactly: header.pid), pid > 0,
      isOwn(ring.descriptor), kill(pid, 0) == 0 || errno == EPERM
    else { return nil }
    // If this gets the lock, closing the descriptor releases it.
    guard flock(ring.descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
    self.pid = pid
  }
}

/// Whether the file belongs to the user of this process.
private func isOwn(_ descriptor: Int32) -> Bool {
  var status = stat()
  return fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
}
