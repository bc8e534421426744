import CSQLite

/// A value of a statement's parameter.
package protocol SQLValue {
  /// Sets a parameter to the value.
  func bind(to statement: Statement, at index: Int) throws(SQLiteError)
}

extension Int64: SQLValue {
  package func bind(to statement: Statement, at index: Int) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

extension Int: SQLValue {
  package func bind(to statement: Statement, at index: Int) throws(SQLiteError) {
    try statement.bind(Int64(self), at: index)
  }
}

extension String: SQLValue {
  package func bind(to statement: Statement, at index: Int) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

extension Optional: SQLValue where Wrapped: SQLValue {
  package func bind(to statement: Statement, at index: Int) throws(SQLiteError) {
    if let self {
      try self.bind(to: statement, at: index)
    } else {
      try statement.bindNull(at: index)
    }
  }
}

extension Statement {
  /// Runs the statement to its end with these values of its parameters.
  package func run(_ values: any SQLValue...) throws(SQLiteError) {
    try bind(values)
    try run()
  }

  fileprivate func bind(_ values: [any SQLValue]) throws(SQLiteError) {
    for (place, value) in values.enumerated() { try value.bind(to: self, at: place + 1) }
  }
}

extension Connection {
  /// Prepares a statement with these values of its parameters.
  package func prepare(_ sql: String, _ values: any SQLValue...) throws(SQLiteError) -> Statement {
    try prepare(sql, values)
  }

  /// Prepares a statement with these values of its parameters.
  package func prepare(_ sql: String, _ values: [any SQLValue]) throws(SQLiteError) -> Statement {
    let statement = try prepare(sql)
    try statement.bind(values)
    return statement
  }

  /// Runs a statement to its end with these values of its parameters.
  package func run(_ sql: String, _ values: any SQLValue...) throws(SQLiteError) {
    let statement = try prepare(sql, values)
    try statement.run()
  }
}

// Binding fails with `ResultCode.misuse` on a running statement, with `ResultCode.range` if the
// parameter does not exist, and with `ResultCode.tooBig` if a text or blob exceeds the limit.
extension Statement {
  /// Sets parameter `index` to an integer.
  package func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, Int32(clamping: index), value))
  }

  /// Sets parameter `index` to an integer.
  package func bind(_ value: Int, at index: Int) throws(SQLiteError) {
    try bind(Int64(value), at: index)
  }

  /// Sets parameter `index` to a floating-point number; SQLite stores not-a-number as null.
  package func bind(_ value: Double, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_double(handle, Int32(clamping: index), value))
  }

  /// Sets parameter `index` to a text, including NUL characters.
  package func bind(_ value: String, at index: Int) throws(SQLiteError) {
    var value = value
    let result = value.withUTF8 { bytes in
      let copied = staty_sqlite3_transient()
      // A null pointer would bind null, not the empty text.
      guard let start = bytes.baseAddress else {
        return sqlite3_bind_text64(
          handle, Int32(clamping: index), "", 0, copied, UInt8(SQLITE_UTF8))
      }
      return sqlite3_bind_text64(
        handle, Int32(clamping: index), UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self),
        UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
    }
    try check(result)
  }

  /// Sets parameter `index` to a text, or to null.
  package func bind(_ value: String?, at index: Int) throws(SQLiteError) {
    if let value { try bind(value, at: index) } else { try bindNull(at: index) }
  }

  /// Sets parameter `index` to a blob.
  package func bind(blob: [UInt8], at index: Int) throws(SQLiteError) {
    let result = blob.withUnsafeBytes { bytes in
      // A null pointer would bind null, not the empty blob.
      guard let start = bytes.baseAddress, !bytes.isEmpty else {
        return sqlite3_bind_zeroblob(handle, Int32(clamping: index), 0)
      }
      return sqlite3_bind_blob64(
        handle, Int32(clamping: index), start, UInt64(bytes.count), staty_sqlite3_transient())
    }
    try check(result)
  }

  /// Sets parameter `index` to null.
  package func bindNull(at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, Int32(clamping: index)))
  }

  private func check(_ result: Int32) throws(SQLiteError) {
    guard result == SQLITE_OK else { throw failure(result, "binding") }
  }
}
