import CSQLite

/// The choices that a writer has; everything else about writing is fixed.
package struct WritingSettings: Sendable {
  /// How long to wait for another connection's lock.
  package var busyTimeoutMilliseconds = 5_000

  /// Whether every commit is synced (`FULL`), or only checkpoints are (`NORMAL`: a commit survives
  /// the app's death but not a power loss).
  package var syncsEveryCommit = false

  /// Whether deleted content is overwritten with zeros.
  package var erasesDeletedContent = true

  /// To how many bytes the write-ahead log is cut after it was copied.
  package var logSizeLimit: Int64 = 4 << 20

  /// The most pages of 4,096 bytes that the file may have; none for SQLite's own limit.
  ///
  /// Pages that are still in the log count.
  package var maximumPages: Int64?

  /// Whether no other process can open the database while this connection is open.
  ///
  /// Then there is no shared-memory file.
  package var isExclusive = false

  /// The ordinary settings.
  package init() {}
}

extension Connection {
  /// Makes this connection a writer: write-ahead logging without automatic checkpoints, explicit
  /// durability, and no trust in what the schema says.
  ///
  /// Nothing is left to the defaults, which differ between Apple's and other builds. Everything is
  /// read back; a setting that does not hold is an error. To be called outside of a transaction,
  /// before any other use. It writes to the file: whether the file is one's own must be known before.
  package func configureForWriting(
    _ settings: WritingSettings = WritingSettings()
  ) throws(SQLiteError) {
    setBusyTimeout(milliseconds: settings.busyTimeoutMilliseconds)
    try distrustSchema()
    try setSwitch(SQLITE_DBCONFIG_ENABLE_TRIGGER, on: true)
    // Before the log exists: these two are fixed by the first write. A file that was made without
    // the first stays so, and never becomes smaller.
    try setPragma("auto_vacuum", to: "2")
    try setPragmaVerified("page_size", to: "4096")
    if settings.isExclusive {
      // Before the log is opened, or the shared-memory file is made after all.
      try setPragmaVerified("locking_mode", to: "exclusive")
    }
    try startLog(within: .milliseconds(settings.busyTimeoutMilliseconds))
    let synchronous = settings.syncsEveryCommit ? "2" : "1"
    try setPragmaVerified("synchronous", to: synchronous)
    #if canImport(Darwin)
      try setPragmaVerified("fullfsync", to: "1")
      try setPragmaVerified("checkpoint_fullfsync", to: "1")
    #endif
    try setPragmaVerified("wal_autocheckpoint", to: "0")
    try setPragmaVerified("journal_size_limit", to: String(settings.logSizeLimit))
    if let pages = settings.maximumPages {
      try setPragmaVerified("max_page_count", to: String(pages))
    }
    try setPragmaVerified("secure_delete", to: settings.erasesDeletedContent ? "1" : "0")
    try setPragmaVerified("temp_store", to: "2")
    watchLog()
  }

  /// Switches to write-ahead logging, trying again while another connection does the same.
  ///
  /// Two that switch a new file at once would wait for each other's lock, so SQLite fails one of them
  /// at once and does not heed the busy timeout (four processes at the same moment: one of five).
  private func startLog(within patience: Duration) throws(SQLiteError) {
    let deadline = ContinuousClock.now + patience
    while true {
      do throws(SQLiteError) {
        return try setPragmaVerified("journal_mode", to: "wal")
      } catch {
        guard error.code == .busy, ContinuousClock.now < deadline else { throw error }
        sqlite3_sleep(2)
      }
    }
  }

  /// What writing and reading have in common.
  ///
  /// Must come before the first statement, since none of this touches the file while the first
  /// statement may.
  func distrustSchema() throws(SQLiteError) {
    try setSwitch(SQLITE_DBCONFIG_DEFENSIVE, on: true)
    try setSwitch(SQLITE_DBCONFIG_TRUSTED_SCHEMA, on: false)
    try setSwitch(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, on: false)
    try setPragmaVerified("cell_size_check", to: "1")
    try setPragmaVerified("mmap_size", to: "0")
  }

  func setSwitch(_ option: Int32, on: Bool) throws(SQLiteError) {
    let wanted: Int32 = on ? 1 : 0
    var held: Int32 = -1
    try check(staty_sqlite3_db_switch(handle, option, wanted, &held), "configuring")
    guard held == wanted else {
      throw failure(
        SQLITE_ERROR, "configuring",
        message: "sqlite3_db_config \(option) is \(held) where \(wanted) was asked for")
    }
  }
}
