package import StatySQLite

/// Writes one history.
///
/// It owns its connection and belongs to one thread. Every call is one transaction: all of it is
/// stored, or nothing. After a call that fails the writer can still be used, and the same call may
/// be made again.
///
/// A batch is one call of `append` (Appending.swift), in this order: the `Catalog` stores new names, places and
/// controllers; the `SessionLedger` says what is stored already, and `newRows` picks the rows that are new; they fill
/// the tables of events, through tables that SQL can select from (RowTables.swift); what had counted as lost does no
/// more (Losses.swift); their details are stored; the chain takes both into the session's checksum; the
/// `SessionFollowing` folds them into visits and findings, whose rows are stored; and the ledger goes back into the
/// row of the session. A recorder's batches come from its ring: see `RecorderWriter`.
package final class HistoryWriter {
  package let connection: Connection
  var catalog: Catalog
  // What is known of the written sessions; read again after any failure, because only the file is
  // reliable then.
  package var ledgers: [Int64: SessionLedger] = [:]
  /// The followed visits of the written sessions.
  var followings: [Int64: SessionFollowing] = [:]
  /// The findings that hold if an open session ends now, as they are stored.
  var endFindings: [Int64: [FindingRecord]] = [:]
  /// Makes a judge that finds broken rules in a session, if findings are stored.
  package var makeJudge: ((_ session: Int64) -> any SessionJudge)?
  /// Sessions with stored events that could not be followed in order.
  var unfollowed: Set<Int64> = []
  private let busyTimeout: Int
  /// Whether the system has failed to sync the log or the file.
  ///
  /// After that, data may be lost although later syncs succeed.
  package var hasFailedToSync = false
  var gathering: Gathering?
  // Separate, because calls read it while `gathering` runs the transaction.
  var isGathering = false
  let newEvents = NewEvents()
  let newAskings = NewAskings()
  let newVisits = NewVisits()

  /// Opens the history at `path`, or makes one, and migrates it to the newest schema.
  ///
  /// A file that is no history, is newer than this version or has numbers that are too high is
  /// refused and not changed.
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

  /// A writer with a connection to a database that has the schema.
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

  /// Whether numbers were given that are not stored yet; if it is closed now, they never are.
  package var hasUnstoredNumbers: Bool { catalog.isPending }

  /// The number of frames in the write-ahead log, which a checkpoint would have to copy.
  package var framesInLog: Int { connection.framesInLog }

  /// Copies the write-ahead log into the file.
  ///
  /// - Returns: the frames in the log, and how many of them have been copied by now.
  @discardableResult
  package func checkpoint(
    _ mode: CheckpointMode = .passive
  ) throws(HistoryError) -> (logFrames: Int, checkpointed: Int) {
    try syncing { try connection.checkpoint(mode) }
  }

  /// Copies the log into the file and empties it, unless another connection reads it at the moment.
  ///
  /// Otherwise SQLite would read the copied frames again when the file is opened after a crash.
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
  /// It commits with a sync, which includes everything before it in the log. A checkpoint would do
  /// the same, but waits for readers of an older state of the file. After the system has failed to
  /// sync, only a checkpoint helps: it writes what was not synced into the file again.
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
      // SQLite syncs only if something is written. It writes the header even if that does not
      // change, but not a row.
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

  /// Stores pending numbers, and closes the file.
  ///
  /// If no other connection is open, the log is copied into the file and removed. Using the writer
  /// after that traps.
  package func close() throws(HistoryError) {
    let outcome = Result { () throws(HistoryError) in if catalog.isPending { try writing {} } }
    // SQLite copies the log, too, but does not report errors.
    _ = try? checkpoint(.passive)
    try outcome.get()
    try asHistoryError { try connection.close() }
  }

  /// Runs `body` in a transaction, which also stores pending numbers.
  package func writing<Result>(_ body: () throws -> Result) throws(HistoryError) -> Result {
    do {
      let result = try inTransaction {
        try catalog.store(connection)
        return try body()
      }
      catalog.settle()
      return result
    } catch {
      (ledgers, followings, endFindings) = ([:], [:], [:])
      throw HistoryError(error)
    }
  }
}
