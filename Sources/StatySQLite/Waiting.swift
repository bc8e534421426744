import CSQLite
import LibC

extension Connection {
  /// How long a statement waits for another connection's lock before it fails with
  /// `ResultCode.busy`.
  ///
  /// Zero, the default, means not at all. SQLite looks again after 1, 2, 5, 10 ms and so on.
  package func setBusyTimeout(milliseconds: Int) {
    sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
  }

  /// As `setBusyTimeout`, for short waits: looks again every tenth of a millisecond.
  ///
  /// Recovering a write-ahead log of some hundred frames holds its lock for about one millisecond. With
  /// SQLite's own pauses the next connection would wait for eight.
  package func setShortBusyTimeout(milliseconds: Int) {
    // The pointer is never followed: it carries the number of looks.
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
