import CSQLite

extension Connection {
  /// The value of a pragma as text; `nil` if it has none.
  ///
  /// - Parameter name: the pragma's name, of letters, digits and `_`. It becomes part of the SQL,
  ///   so other characters stop the process.
  package func pragma(_ name: String) throws(SQLiteError) -> String? {
    try firstText("PRAGMA \(checked(name))")
  }

  /// The value of a pragma as an integer; `nil` if it has none or it is not an integer.
  package func integerPragma(_ name: String) throws(SQLiteError) -> Int64? {
    let statement = try prepare("PRAGMA \(checked(name))")
    defer { statement.reset() }
    guard try statement.step(), statement.kind(at: 0) == .integer else { return nil }
    return statement.int64(at: 0)
  }

  /// Sets a pragma to a word or an integer, and returns its answer, if there is one.
  ///
  /// SQLite ignores pragmas and values that it does not know, so use `setPragmaVerified` for
  /// important ones. Both texts may have only letters, digits, `_` and a leading `-`. Other
  /// characters stop the process.
  @discardableResult
  package func setPragma(_ name: String, to value: String) throws(SQLiteError) -> String? {
    let digits = value.hasPrefix("-") ? String(value.dropFirst()) : value
    _ = checked(digits)
    return try firstText("PRAGMA \(checked(name)) = \(value)")
  }

  /// Sets a pragma and reads it back.
  ///
  /// Throws an error if it does not have the value then.
  package func setPragmaVerified(_ name: String, to value: String) throws(SQLiteError) {
    try setPragma(name, to: value)
    // A few pragmas have no value if they do not apply, such as mmap_size in memory.
    guard let found = try pragma(name) else { return }
    guard found == value else {
      throw failure(
        SQLITE_ERROR, "configuring",
        message: "\(name) is \(found) where \(value) was asked for",
        "PRAGMA \(name) = \(value)")
    }
  }

  private func firstText(_ sql: String) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let text = try statement.string(at: 0)
    while try statement.step() {}
    return text
  }

  private func checked(_ word: String) -> String {
    precondition(
      !word.isEmpty
        && word.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
          default: false
          }
        },
      "A pragma's name and value are words or integers; \"\(word)\" is neither.")
    return word
  }
}
