import CSQLite
import LibC

extension Connection {
  /// Sets how long a statement waits for another connection's lock before it fails with
  /// `ResultCode.busy`.
  ///
  /// Zero, the default, means no waiting. SQLite tries again after 1, 2, 5, 10 ms and so on.
  package func setBusyTimeout(milliseconds: Int) {
    sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
  }

  /// Like `setBusyTimeout`, for short waits: tries again every tenth of a millisecond.
  ///
  /// The recovery of a write-ahead log of some hundred frames needs its lock for about one
  /// millisecond. With SQLite's own pauses, the next connection would wait for eight.
  package func setShortBusyTimeout(milliseconds: Int) {
    // The pointer is never dereferenced. It contains the number of tries.
    let looks = UnsafeMutableRawPointer(bitPattern: max(0, milliseconds) * 10)
    sqlite3_busy_handler(
      handle,
      { looks, before in
        guard Int(before) < Int(bitPattern: looks) else { return 0 }
        usleep(100)
        return 1
      }, looks)
  }
}
