import CSQLite

/// What a column of the current row holds, before any conversion.
package enum ColumnKind: Sendable {
  /// A whole number of up to 64 bits.
  case integer
  /// A floating-point number.
  case real
  /// A text.
  case text
  /// Bytes.
  case blob
  /// Nothing.
  case null
}

// A column is read after `step()` returned true and before the next `step()` or `reset()`; one that
// does not exist reads as null.
extension Statement {
  /// What column `index` holds.
  ///
  /// Ask before reading: reading as another type may convert it.
  package func kind(at index: Int) -> ColumnKind {
    switch sqlite3_column_type(handle, Int32(truncatingIfNeeded: index)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// Whether column `index` holds nothing.
  package func isNull(at index: Int) -> Bool {
    sqlite3_column_type(handle, Int32(truncatingIfNeeded: index)) == SQLITE_NULL
  }

  /// Column `index` as an integer: null is 0, a text counts with the number that it begins with.
  package func int64(at index: Int) -> Int64 {
    sqlite3_column_int64(handle, Int32(truncatingIfNeeded: index))
  }

  /// Column `index` as a floating-point number: null is 0, a text counts with the number that it begins with.
  package func double(at index: Int) -> Double {
    sqlite3_column_double(handle, Int32(truncatingIfNeeded: index))
  }

  /// Column `index` as a text, NUL characters included; none if it is null.
  ///
  /// Bytes that are no UTF-8 become U+FFFD. Use `withText` to tell them apart.
  package func string(at index: Int) throws(SQLiteError) -> String? {
    if isNull(at: index) { return nil }
    return String(decoding: try textBytes(at: index), as: UTF8.self)
  }

  /// Column `index` as bytes; none if it is null.
  package func blob(at index: Int) throws(SQLiteError) -> [UInt8]? {
    if isNull(at: index) { return nil }
    return Array(try blobBytes(at: index))
  }

  /// Gives `body` the bytes of column `index` as text, without a copy; none for null.
  ///
  /// They are what is stored, perhaps no well-formed UTF-8. They must not leave `body`, and `body`
  /// must not step or reset this statement, or read the same column as another type.
  package func withText<Result>(
    at index: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    try body(isNull(at: index) ? nil : textBytes(at: index))
  }

  /// Gives `body` the bytes of column `index`, without a copy; none for null.
  ///
  /// They must not leave `body`, and `body` must not step or reset this statement, or read the same
  /// column as another type.
  package func withBlob<Result>(
    at index: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    try body(isNull(at: index) ? nil : blobBytes(at: index))
  }

  // Both pointers are SQLite's own memory, alive until the statement moves on or the column is
  // converted. The length must be asked for after the pointer: the pointer may cause a conversion.
  private func textBytes(at index: Int) throws(SQLiteError) -> UnsafeRawBufferPointer {
    let column = Int32(truncatingIfNeeded: index)
    guard let start = sqlite3_column_text(handle, column) else {
      // Not null, so only memory for a conversion can have been missing.
      throw failure(SQLITE_NOMEM, "reading a column")
    }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  private func blobBytes(at index: Int) throws(SQLiteError) -> UnsafeRawBufferPointer {
    let column = Int32(truncatingIfNeeded: index)
    let start = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    // An empty blob has no address.
    guard let start else {
      guard count == 0 else { throw failure(SQLITE_NOMEM, "reading a column") }
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: start, count: count)
  }
}
