package import StatySQLite

/// Reads one history and changes nothing.
///
/// It belongs to one thread. Its results come from a file that may be damaged or hostile: a number
/// may stand for nothing, and texts must be escaped for where they are printed.
package final class HistoryReader {
  package let connection: Connection
  /// What has to exist as long as the reader does.
  private let kept: AnyObject?
  /// What was read of one state of the file; none while the file may change.
  var steady: SteadyState?
  /// Reports the progress of reading.
  package let watch = ReadingWatch()

  /// The number of the file's schema.
  ///
  /// If it is not the newest, a migrated copy is read.
  package let schemaVersion: Int

  /// Reads through a connection that is configured for reading.
  ///
  /// - Parameters:
  ///   - kept: what has to exist as long as the reader does.
  ///   - schema: the schema number of the file that was copied; by default the newest.
  package convenience init(
    connection: Connection, keeping kept: AnyObject? = nil, of schema: Int? = nil
  ) throws(HistoryError) {
    let missing = try asHistoryError { try HistoryFile.migrator.pending(connection).count }
    try self.init(connection, HistoryFile.schemaVersion - missing, kept, of: schema)
  }

  /// Reads the file that this process records into, or is about to.
  ///
  /// It trusts the schema number, because the writer checks the schema.
  package convenience init(ownFile connection: Connection) throws(HistoryError) {
    let version = try asHistoryError { try HistoryFile.migrator.version(of: connection) }
    try self.init(connection, version)
  }

  private init(
    _ connection: Connection, _ version: Int, _ kept: AnyObject? = nil, of schema: Int? = nil
  ) throws(HistoryError) {
    guard version > 0 else { throw .refused(.unmarked) }
    guard version == HistoryFile.schemaVersion else { throw .older(schema: version) }
    self.connection = connection
    self.schemaVersion = schema ?? version
    self.kept = kept
  }

  /// Closes the file; fails while a cursor is alive.
  package func close() throws(HistoryError) {
    try asHistoryError { try connection.close() }
  }

  /// Runs `body` on one state of the file: later changes are not visible.
  ///
  /// Calls may be nested; the outermost one decides which state that is.
  package func consistently<Result>(_ body: () throws -> Result) throws -> Result {
    if connection.isInTransaction { return try body() }
    steady = SteadyState()
    defer { steady = nil }
    return try connection.transaction(.deferred, body)
  }

  /// All sessions, in the order of their events' numbers.
  package func sessions() throws(HistoryError) -> [SessionRecord] {
    try asHistoryError { try connection.sessions() }
  }

  /// The session with this number in the file.
  package func session(_ id: Int64) throws(HistoryError) -> SessionRecord {
    if let session = steady?.session, session.id == id { return session }
    return try asHistoryError {
      let session = try connection.session(id)
      steady?.session = session
      return session
    }
  }

  /// Whether there is a session of this name.
  package func hasSession(uuid: String) throws(HistoryError) -> Bool {
    try asHistoryError {
      let rows = try connection.prepare("SELECT 1 FROM session WHERE uuid = ?1", uuid)
      return try rows.step()
    }
  }

  /// The last session of the process that began to record in the session of this name.
  package func lastSession(ofRun uuid: String) throws(HistoryError) -> SessionRecord? {
    try asHistoryError {
      let rows = try connection.prepare(
        "SELECT id FROM session WHERE uuid = ?1 OR run = ?1 ORDER BY first_seq DESC LIMIT 1", uuid)
      return try rows.step() ? try connection.sessionIfKnown(rows.int64(at: 0)) : nil
    }
  }

  /// The controllers of a session, in the order in which they were added.
  ///
  /// - Parameter last: the number of a controller; only those that were added after it are
  ///   returned.
  package func controllers(
    session: Int64, after last: Int32 = 0
  ) throws(HistoryError) -> [ControllerRecord] {
    try asHistoryError { try connection.controllers(session: session, after: last) }
  }

  /// The events of a session, in order of their numbers.
  ///
  /// - Parameters:
  ///   - first: the number to begin with; by default the session's first.
  ///   - last: the number to end with; by default the session's last.
  ///   - isTimed: whether times are read; otherwise they are 0.
  ///   - isReversed: whether the last come first.
  package func events(
    session: Int64, from first: Int64? = nil, through last: Int64? = nil, isTimed: Bool = true,
    isReversed: Bool = false
  ) throws(HistoryError) -> EventCursor {
    let record = try self.session(session)
    return try asHistoryError {
      let start = max(record.firstSeq, first ?? record.firstSeq)
      let end = min(record.lastOwnSeq, last ?? record.lastOwnSeq)
      let pass =
        isReversed ? nil : watch.pass(from: start, through: min(end, record.lastSeq ?? end))
      return try EventCursor(
        connection, from: start, through: end, isTimed: isTimed, isReversed: isReversed, pass: pass)
    }
  }

  /// The details of a session's events, in the order of their numbers.
  ///
  /// - Parameters:
  ///   - first: the number to begin with; by default the session's first.
  ///   - last: the number to end with; by default the session's last.
  package func details(
    session: Int64, from first: Int64? = nil, through last: Int64? = nil
  ) throws(HistoryError) -> DetailCursor {
    let record = try self.session(session)
    return try asHistoryError {
      try DetailCursor(
        connection, from: max(record.firstSeq, first ?? record.firstSeq),
        through: min(record.lastOwnSeq, last ?? record.lastOwnSeq))
    }
  }

  /// The detail of the event with this number; none if it has none.
  package func detail(of seq: Int64) throws(HistoryError) -> EventDetail? {
    try asHistoryError {
      try DetailCursor(connection, from: seq, through: seq).next()
    }
  }
}

/// What was read of one state of a file, so that it is not read again for each of its sessions.
///
/// It is valid while nothing can have changed: during ``HistoryReader/consistently(_:)``.
struct SteadyState {
  var names: [Int32: String]?
  var sites: [Int32: SiteRecord]?
  /// The hashes of names and sites alone.
  var hashes: ContentHashes?
  /// The session that was requested last.
  var session: SessionRecord?
}
