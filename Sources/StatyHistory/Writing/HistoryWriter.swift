package import StatySQLite

/// Writes one history.
///
/// It owns its connection and belongs to one thread. Every call is one transaction: what it was to
/// write is stored as a whole or not at all. A call that fails leaves the writer usable; the same
/// call may be made again.
package final class HistoryWriter {
  let connection: Connection
  var catalog: Catalog
  // What is known of the sessions that are written to; read again after any failure, since what
  // the file holds is then the only truth.
  var ledgers: [Int64: SessionLedger] = [:]
  /// The visits of the sessions that are written to.
  var followings: [Int64: SessionFollowing] = [:]
  /// Makes what finds broken rules in a session, if findings are stored.
  package var makeJudge: ((_ session: Int64) -> any SessionJudge)?
  /// Sessions of which events were stored that could not be followed in their order.
  var unfollowed: Set<Int64> = []
  private let busyTimeout: Int
  /// Whether the system has failed to sync the log or the file, so that what it was to write down then may
  /// be gone although it says from now on that all is.
  package var hasFailedToSync = false
  var gathering: Gathering?
  // Apart, as calls ask for it while the transaction is run by `gathering`.
  var isGathering = false
  let newEvents = NewEvents()
  let newAskings = NewAskings()
  let newVisits = NewVisits()

  /// Opens the history at `path`, or makes one, and brings it to the newest schema.
  ///
  /// A file that is no history or is newer than this version is refused and keeps its bytes; so is one
  /// with numbers that cannot be gone on from.
  package convenience init(
    path: String, settings: WritingSettings = WritingSettings()
  ) throws(HistoryError) {
    let connection = try asHistoryError {
      let connection = try HistoryFile.migrator.open(path: path, settings: settings)
      try connection.checkNumbers()
      return connection
    }
    try self.init(connection: connection, busyTimeout: settings.busyTimeoutMilliseconds)
  }

  /// Writes through a connection whose database has the schema.
  package init(
    connection: Connection, busyTimeout: Int = WritingSettings().busyTimeoutMilliseconds
  ) throws(HistoryError) {
    self.connection = connection
    self.busyTimeout = busyTimeout
    let (newEvents, newAskings, newVisits) = (newEvents, newAskings, newVisits)
    catalog = try asHistoryError {
      try connection.register(newEvents, as: NewEvents.tableName)
      try connection.register(newAskings, as: NewAskings.tableName)
      try connection.register(newVisits, as: NewVisits.tableName)
      return try Catalog(connection)
    }
  }

  /// Whether numbers were given that are not stored; once it is closed, they never are.
  package var hasUnstoredNumbers: Bool { catalog.isPending }

  /// The frames in the write-ahead log: what a checkpoint would have to copy.
  package var framesInLog: Int { connection.framesInLog }

  /// Changes how many pages of 4,096 bytes the file may have.
  package func setMaximumPages(_ pages: Int64) throws(HistoryError) {
    try asHistoryError { _ = try connection.setPragma("max_page_count", to: String(pages)) }
  }

  /// Copies the write-ahead log into the file.
  ///
  /// - Returns: the frames in the log, and how many of them have been copied by now.
  @discardableResult
  package func checkpoint(
    _ mode: CheckpointMode = .passive
  ) throws(HistoryError) -> (logFrames: Int, checkpointed: Int) {
    try syncing { try connection.checkpoint(mode) }
  }

  /// Copies the log into the file and cuts it to nothing, unless somebody reads it at this moment.
  ///
  /// What is copied would else still be gone through when the file is opened after a crash.
  package func cutLog() throws(HistoryError) {
    try syncing {
      connection.setBusyTimeout(milliseconds: 0)
      defer { connection.setBusyTimeout(milliseconds: busyTimeout) }
      do throws(SQLiteError) {
        try connection.checkpoint(.truncate)
      } catch {
        if error.code != .busy { throw error }
      }
    }
  }

  /// Makes everything that is stored survive a loss of power.
  ///
  /// By a commit that is synced, which takes along all that stands in the log before it. A
  /// checkpoint would do the same, but waits for whoever still reads an older state of the file. Once the
  /// system has failed to sync, only that does: it writes into the file what had not been synced there.
  package func sync() throws(HistoryError) {
    try syncing {
      if hasFailedToSync {
        connection.setBusyTimeout(milliseconds: min(busyTimeout, 500))
        defer { connection.setBusyTimeout(milliseconds: busyTimeout) }
        try connection.checkpoint(.truncate)
        hasFailedToSync = false
      }
      let before = try connection.integerPragma("synchronous") ?? 1
      try connection.setPragmaVerified("synchronous", to: "2")
      // Something has to be written, or nothing is synced. The header is written even if it stays
      // as it is; a row is not.
      let version = try connection.integerPragma("user_version") ?? 0
      let outcome = Result { () throws(HistoryError) in
        try writing { try connection.setPragma("user_version", to: String(version)) }
      }
      try connection.setPragmaVerified("synchronous", to: String(before))
      _ = try outcome.get()
    }
  }

  private func syncing<Result>(_ body: () throws -> Result) throws(HistoryError) -> Result {
    do {
      return try body()
    } catch {
      let error = HistoryError(error)
      if case .outcomeUnknown(let cause) = error, cause.isOfSync { hasFailedToSync = true }
      throw error
    }
  }

  /// The highest number of a stored event; 0 if there is none.
  ///
  /// For reading back after an outcome that is not known.
  package func highestSeq() throws(HistoryError) -> Int64 {
    try asHistoryError {
      let rows = try connection.prepare("SELECT max(seq) FROM event")
      _ = try rows.step()
      return rows.int64(at: 0)
    }
  }

  /// Stores what was given a number and is not stored yet, and closes the file.
  ///
  /// If nobody else has it open, its log is copied into it and removed. Using the writer after that
  /// traps.
  package func close() throws(HistoryError) {
    let outcome = Result { () throws(HistoryError) in if catalog.isPending { try writing {} } }
    // SQLite copies the log, too, but keeps to itself what fails.
    _ = try? checkpoint(.passive)
    try outcome.get()
    try asHistoryError { try connection.close() }
  }

  /// Runs `body` in a transaction, together with the numbers that were given before.
  func writing<Result>(_ body: () throws -> Result) throws(HistoryError) -> Result {
    do {
      let result = try inTransaction {
        try catalog.store(connection)
        return try body()
      }
      catalog.settle()
      return result
    } catch {
      (ledgers, followings) = ([:], [:])
      throw HistoryError(error)
    }
  }
}
