import CSQLite

/// A compiled SQL statement with its bound values and its current row.
///
/// Parameters count from 1 and columns from 0, as in SQLite's documentation. A statement keeps its
/// connection alive and is used on the same thread.
package final class Statement {
  /// The SQL of the statement.
  package var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

  let handle: OpaquePointer
  private let connection: Connection
  private let place: StatementCache.Place?

  /// Creates a statement that owns the handle.
  ///
  /// Do not use or finalize the handle elsewhere.
  init(handle: OpaquePointer, connection: Connection, place: StatementCache.Place?) {
    self.handle = handle
    self.connection = connection
    self.place = place
  }

  deinit {
    if let place {
      place.giveBack(handle)
    } else {
      sqlite3_finalize(handle)
    }
  }

  /// Goes to the next row and returns whether there is one.
  ///
  /// After the last row, or a failure, call `reset()` before binding or stepping again.
  package func step() throws(SQLiteError) -> Bool {
    let result = sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE { return false }
    throw failure(result, "stepping")
  }

  /// Steps to the end, ignores all rows, and resets the statement.
  ///
  /// Bound values are kept.
  package func run() throws(SQLiteError) {
    defer { reset() }
    while try step() {}
  }

  /// Ends the statement, so that it can be bound and stepped again and has no lock.
  ///
  /// Bound values are kept. Bytes of columns become invalid.
  package func reset() {
    // This repeats the failure of the last step, which has already been thrown.
    sqlite3_reset(handle)
  }

  /// Whether the statement does not change the database file.
  ///
  /// The control of transactions counts as reading.
  package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// The number of columns in a row; 0 for a statement without rows.
  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// The number of parameters.
  package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// The names of the columns.
  ///
  /// SQLite promises them only for columns that the SQL names with `AS`. They may be from a hostile
  /// file.
  package var columnNames: [String] {
    (0..<Int32(columnCount)).map { index in
      sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
    }
  }

  /// The name of a parameter, including its prefix; `nil` if it has no name or does not exist.
  package func parameterName(at index: Int) -> String? {
    sqlite3_bind_parameter_name(handle, Int32(clamping: index)).map { String(cString: $0) }
  }

  func failure(_ result: Int32, _ doing: String) -> SQLiteError {
    connection.failure(result, doing, sql: sql)
  }
}
