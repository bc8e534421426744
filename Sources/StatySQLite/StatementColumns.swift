import CSQLite

/// The type of a column in the current row, before any conversion.
package enum ColumnKind: Sendable {
  /// An integer of up to 64 bits.
  case integer
  /// A floating-point number.
  case real
  /// A text.
  case text
  /// Bytes.
  case blob
  /// Null.
  case null
}

// Read a column after `step()` has returned true and before the next `step()` or `reset()`. A
// column that does not exist is null.
extension Statement {
  /// The type of column `index`.
  ///
  /// Use it before reading the column, because reading as another type may convert it.
  package func kind(at index: Int) -> ColumnKind {
    switch sqlite3_column_type(handle, Int32(truncatingIfNeeded: index)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// Whether column `index` is null.
  package func isNull(at index: Int) -> Bool {
    sqlite3_column_type(handle, Int32(truncatingIfNeeded: index)) == SQLITE_NULL
  }

  /// Column `index` as an integer.
  ///
  /// Null is 0, and a text is the number at its beginning.
  package func int64(at index: Int) -> Int64 {
    sqlite3_column_int64(handle, Int32(truncatingIfNeeded: index))
  }

  /// Column `index` as a floating-point number.
  ///
  /// Null is 0, and a text is the number at its beginning.
  package func double(at index: Int) -> Double {
    sqlite3_column_double(handle, Int32(truncatingIfNeeded: index))
  }

  /// Column `index` as a text, including NUL characters; `nil` if it is null.
  ///
  /// Bytes that are not UTF-8 become U+FFFD. Use `withText` to distinguish them.
  package func string(at index: Int) throws(SQLiteError) -> String? {
    if isNull(at: index) { return nil }
    return String(decoding: try textBytes(at: index), as: UTF8.self)
  }

  /// Column `index` as bytes; `nil` if it is null.
  package func blob(at index: Int) throws(SQLiteError) -> [UInt8]? {
    if isNull(at: index) { return nil }
    let column = Int32(truncatingIfNeeded: index)
    let start = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    if let start { return Array(UnsafeRawBufferPointer(start: start, count: count)) }
    // An empty blob has no address.
    guard count == 0 else { throw failure(SQLITE_NOMEM, "reading a column") }
    return []
  }

  /// Calls `body` with the bytes of column `index` as text, without a copy; `nil` for null.
  ///
  /// The bytes may not be well-formed UTF-8. They must not be used after `body`. `body` must not
  /// step or reset this statement, or read the same column as another type.
  package func withText<Result>(
    at index: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    try body(isNull(at: index) ? nil : textBytes(at: index))
  }

  // SQLite's memory, valid until the next step or a conversion of the column. Read the length after
  // the pointer, because reading the pointer may convert the column.
  private func textBytes(at index: Int) throws(SQLiteError) -> UnsafeRawBufferPointer {
    let column = Int32(truncatingIfNeeded: index)
    guard let start = sqlite3_column_text(handle, column) else {
      // The column is not null, so only the memory for a conversion can be missing.
      throw failure(SQLITE_NOMEM, "reading a column")
    }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }
}
