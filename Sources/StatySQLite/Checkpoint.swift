import CSQLite

/// How thoroughly a checkpoint copies the write-ahead log into the database file.
package enum CheckpointMode: Sendable {
  /// As much as is possible without waiting for other connections.
  case passive
  /// Everything, waiting for other writers; syncs the file.
  case full
  /// As `full`, and the next writer starts the log from its beginning; waits for readers too.
  case restart
  /// As `restart`, and the log is cut to nothing.
  case truncate

  fileprivate var number: Int32 {
    switch self {
    case .passive: SQLITE_CHECKPOINT_PASSIVE
    case .full: SQLITE_CHECKPOINT_FULL
    case .restart: SQLITE_CHECKPOINT_RESTART
    case .truncate: SQLITE_CHECKPOINT_TRUNCATE
    }
  }
}

extension Connection {
  /// Copies the write-ahead log into the database file.
  ///
  /// Throws `ResultCode.busy` when another connection was in the way for longer than the busy timeout (never
  /// for `passive`, which just does less), and `ResultCode.locked` inside a transaction. A failure to
  /// sync is thrown here, whereas a checkpoint that SQLite starts by itself would swallow it.
  ///
  /// - Returns: the frames in the log, and how many of them have been copied by now. Both are -1 when
  ///   the database keeps no log.
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

  /// Keeps `framesInLog` current.
  ///
  /// SQLite's own automatic checkpoint uses the same hook, so this also takes its place.
  func watchLog() {
    // The pointer stays valid: the hook is called only from this connection's own commits, which
    // need the handle, and the handle is closed before this object is gone.
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
