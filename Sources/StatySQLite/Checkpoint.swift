import CSQLite

/// How much of the write-ahead log a checkpoint copies into the database file.
package enum CheckpointMode: Sendable {
  /// Copies what it can without waiting for other connections.
  case passive
  /// Waits for other connections, copies everything, syncs the file, and empties the log.
  case truncate

  fileprivate var number: Int32 {
    switch self {
    case .passive: SQLITE_CHECKPOINT_PASSIVE
    case .truncate: SQLITE_CHECKPOINT_TRUNCATE
    }
  }
}

extension Connection {
  /// Copies the write-ahead log into the database file.
  ///
  /// Throws `ResultCode.busy` if another connection has a lock for longer than the busy timeout,
  /// but not for `passive`, which then copies less. Throws `ResultCode.locked` inside a
  /// transaction. A failure to sync is thrown here. A checkpoint that SQLite starts by itself would
  /// not report it.
  ///
  /// - Returns: the number of frames in the log, and how many of them are copied. Both are -1 if
  ///   the database has no log.
  @discardableResult
  package func checkpoint(
    _ mode: CheckpointMode
  ) throws(SQLiteError) -> (logFrames: Int, checkpointed: Int) {
    var frames: Int32 = -1
    var done: Int32 = -1
    let result = sqlite3_wal_checkpoint_v2(handle, "main", mode.number, &frames, &done)
    // Another connection makes a checkpoint.
    if mode == .passive, result & 0xff == SQLITE_BUSY { return (framesInLog, 0) }
    try check(result, "checkpointing")
    return (Int(frames), Int(done))
  }

  /// Updates `framesInLog` after each commit.
  ///
  /// SQLite's automatic checkpoint uses the same hook, so this also switches it off.
  func watchLog() {
    // The pointer stays valid: the hook is called only from this connection's commits. These need
    // the handle, which is closed before this object is released.
    let unowned = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      handle,
      { context, _, _, frames in
        guard let context else { return SQLITE_OK }
        Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().framesInLog = Int(frames)
        return SQLITE_OK
      }, unowned)
  }
}
