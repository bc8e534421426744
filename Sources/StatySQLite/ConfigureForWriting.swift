import CSQLite

/// The settings of a writer that can be chosen.
///
/// All others are fixed.
package struct WritingSettings: Sendable {
  /// How long to wait for another connection's lock.
  package var busyTimeoutMilliseconds = 5_000

  /// Whether no other process can open the database while this connection is open.
  ///
  /// Then there is no shared-memory file.
  package var isExclusive = false

  /// The length to which SQLite shortens a longer log when it begins it anew, in bytes.
  package static let shortLogBytes = 4 << 20

  /// Creates the default settings.
  package init() {}
}

extension Connection {
  /// Makes this connection a writer, with write-ahead logging, without automatic checkpoints, and
  /// without trust in the schema.
  ///
  /// It sets everything, because the defaults differ between Apple's and other builds. Each setting
  /// is read back; a setting that was not applied is an error. Call it outside of a transaction,
  /// before any other use. It writes to the file, so check before that the file is your own.
  package func configureForWriting(
    _ settings: WritingSettings = WritingSettings()
  ) throws(SQLiteError) {
    setBusyTimeout(milliseconds: settings.busyTimeoutMilliseconds)
    try distrustSchema()
    try setSwitch(SQLITE_DBCONFIG_ENABLE_TRIGGER, on: true)
    // These two are fixed by the first write, so they must be set before the log exists. A file
    // that was created without `auto_vacuum` never becomes smaller.
    try setPragma("auto_vacuum", to: "2")
    try setPragmaVerified("page_size", to: "4096")
    if settings.isExclusive {
      // This must be set before the log is opened, otherwise the shared-memory file is created.
      try setPragmaVerified("locking_mode", to: "exclusive")
    }
    try startLog(within: .milliseconds(settings.busyTimeoutMilliseconds))
    // NORMAL: only checkpoints are synced. A commit survives a crash, but not a loss of power.
    try setPragmaVerified("synchronous", to: "1")
    #if canImport(Darwin)
      try setPragmaVerified("fullfsync", to: "1")
      try setPragmaVerified("checkpoint_fullfsync", to: "1")
    #endif
    try setPragmaVerified("wal_autocheckpoint", to: "0")
    try setPragmaVerified("journal_size_limit", to: String(WritingSettings.shortLogBytes))
    // Deleted content is overwritten with zeros: it may be private.
    try setPragmaVerified("secure_delete", to: "1")
    try setPragmaVerified("temp_store", to: "2")
    watchLog()
  }

  /// Switches to write-ahead logging, and tries again while another connection does the same.
  ///
  /// If two connections switch a new file at the same time, each would wait for the other's lock.
  /// So one of them fails at once, without the busy timeout. With four processes at the same time
  /// this happened in one of five cases.
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

  /// The settings for both writing and reading.
  ///
  /// Call it before the first statement: it does not read the file, but the first statement may.
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
