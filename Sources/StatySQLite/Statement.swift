import CSQLite

/// A compiled SQL statement, its bound values and the row it stands on.
///
/// Parameters count from 1 and columns from 0, as in SQLite's own documentation. A statement keeps
/// its connection alive and is used where its connection is.
package final class Statement {
  /// The SQL it was made from.
  package var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

  let handle: OpaquePointer
  private let connection: Connection
  private let place: StatementCache.Place?

  /// Takes over the handle: do not use or finalize it elsewhere.
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

  /// Goes on to the next row: whether there is one.
  ///
  /// After the last row, or a failure, call `reset()` before binding or stepping again.
  package func step() throws(SQLiteError) -> Bool {
    let result = sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE { return false }
    throw failure(result, "stepping")
  }

  /// Steps to the end, dropping any rows, and resets the statement.
  ///
  /// Bound values stay.
  package func run() throws(SQLiteError) {
    defer { reset() }
    while try step() {}
  }

  /// Ends the statement, so that it can be bound and stepped anew and holds no lock.
  ///
  /// Bound values stay; bytes of columns become invalid.
  package func reset() {
    // It repeats the failure of the last step, which was thrown then.
    sqlite3_reset(handle)
  }

  /// Sets every parameter to null.
  package func clearBindings() {
    sqlite3_clear_bindings(handle)
  }

  /// Whether the statement leaves the database file as it is.
  ///
  /// Transaction control counts as reading.
  package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// Whether it has been stepped and neither reached its end nor been reset.
  package var isRunning: Bool { sqlite3_stmt_busy(handle) != 0 }

  /// How many instructions it has run since it was compiled: what it cost, whatever the machine.
  package var instructionCount: Int {
    Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0))
  }

  /// How many columns a row has; 0 for a statement without rows.
  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// How many parameters can be bound.
  package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// The names of the columns.
  ///
  /// SQLite promises them only for columns that the SQL names with `AS`. They may come from a
  /// hostile file.
  package var columnNames: [String] {
    (0..<Int32(columnCount)).map { index in
      sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
    }
  }

  /// The number of the parameter with that name, prefix included (`:visit`); none if there is none.
  package func parameterIndex(of name: String) -> Int? {
    let index = sqlite3_bind_parameter_index(handle, name)
    return index == 0 ? nil : Int(index)
  }

  /// The name of a parameter, prefix included; none if it has none or there is none.
  package func parameterName(at index: Int) -> String? {
    sqlite3_bind_parameter_name(handle, Int32(clamping: index)).map { String(cString: $0) }
  }

  func failure(_ result: Int32, _ doing: String) -> SQLiteError {
    connection.failure(result, doing, sql: sql)
  }
}
