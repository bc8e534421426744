import CSQLite

/// The mode in which a database file is opened.
///
/// A symbolic link as the last component of the path is always refused.
package enum OpenMode: Sendable {
  /// For reading and writing; creates the file if it does not exist.
  case readWriteCreate
  /// For reading and writing; fails if the file does not exist.
  case readWrite
  /// For reading, even while another process writes.
  case readOnly
  /// For reading a file that does not change, without locks and other files. A write-ahead log is
  /// **not** read.
  case immutable
}

/// A connection to an SQLite database.
///
/// Use a connection and its statements from one thread at a time: the library's own locks are switched off.
///
/// Opening alone does not read the file. So the first statement, or one of the `configure…`
/// methods, reports a file that is not a database.
package final class Connection {
  /// The absolute path of the file; `nil` for a database in memory.
  package let path: String?

  /// The number of frames in the write-ahead log after the last commit of this connection, if
  /// `configureForWriting` was called.
  package internal(set) var framesInLog = 0

  var statements = StatementCache()
  var savepoints = 0
  private var openHandle: OpaquePointer?

  /// Opens the database file at `path`.
  ///
  /// The path is used as it is: no prefix or character in it has a meaning for SQLite.
  package init(path: String, mode: OpenMode) throws(SQLiteError) {
    let place = try DatabasePath(path)
    let flags =
      switch mode {
      case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      }
    let name = mode == .immutable ? place.immutableURI : place.text
    let handle = try Self.open(name, flags, path: place.text)
    self.path = place.text
    openHandle = handle
  }

  /// Opens a new, empty database in memory.
  package init() throws(SQLiteError) {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
    let handle = try Self.open(":memory:", flags, path: nil)
    path = nil
    openHandle = handle
  }

  deinit {
    // Statements keep their connection alive, so none exists any more, and closing cannot fail with
    // "busy". No caller is left for any other failure.
    try? close()
  }

  /// Closes the database.
  ///
  /// The last writer to close copies the log into the file and removes it.
  ///
  /// Fails with `ResultCode.busy`, and leaves the connection open, while statements of it exist.
  /// Closing a second time does nothing. Any other use after closing stops the process.
  package func close() throws(SQLiteError) {
    guard let handle = openHandle else { return }
    statements.removeAll()
    try check(sqlite3_close(handle), "closing")
    openHandle = nil
  }

  /// Runs all statements in `sql` in order, and ignores their rows.
  ///
  /// If one fails, the changes of those before it stay.
  package func execute(_ sql: String) throws(SQLiteError) {
    var remainder = sql[...]
    while let (handle, rest) = try compile(remainder, persistent: false) {
      let statement = Statement(handle: handle, connection: self, place: nil)
      try statement.run()
      remainder = rest
    }
  }

  /// The rows changed by the last insert, update or delete; 0 if it failed.
  package var changes: Int { Int(sqlite3_changes64(handle)) }

  /// The rows changed since the connection was opened.
  package var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

  /// The row number of the last row inserted into an ordinary table; 0 if none was.
  package var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(handle) }

  var isOpen: Bool { openHandle != nil }

  var handle: OpaquePointer {
    guard let openHandle else {
      preconditionFailure("This connection is closed. Keep it open for as long as it is used.")
    }
    return openHandle
  }

  func failure(_ result: Int32, _ doing: String, sql: String? = nil) -> SQLiteError {
    Self.failure(result, doing, handle: openHandle, sql: sql, path: path)
  }

  func check(_ result: Int32, _ doing: String, sql: String? = nil) throws(SQLiteError) {
    guard result == SQLITE_OK else { throw failure(result, doing, sql: sql) }
  }

  private static func open(
    _ name: String, _ flags: Int32, path: String?
  ) throws(SQLiteError) -> OpaquePointer {
    var handle: OpaquePointer?
    let always = SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let result = sqlite3_open_v2(name, &handle, flags | always, nil)
    guard result == SQLITE_OK, let handle else {
      let error = failure(result, "opening", handle: handle, sql: nil, path: path)
      sqlite3_close(handle)
      throw error
    }
    // By default, Apple's SQLite keeps the log and its index when the last connection closes. A
    // database in memory has neither.
    var keepsLog: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
    return handle
  }

  private static func failure(
    _ result: Int32, _ doing: String, handle: OpaquePointer?, sql: String?, path: String?
  ) -> SQLiteError {
    // The connection's message belongs to its last failure. Some failures, such as misuse, leave an
    // older message there.
    let current = handle.map(sqlite3_extended_errcode) == result
    let text = current ? sqlite3_errmsg(handle) : sqlite3_errstr(result)
    let message = text.map { String(cString: $0) } ?? "no message"
    return SQLiteError(
      extendedCode: result, message: message, doing: doing, sql: sql, path: path)
  }
}
