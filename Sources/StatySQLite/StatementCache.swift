import CSQLite

/// Compiled statements that nobody uses at the moment, by their SQL.
///
/// A statement is either in here or in the hands of exactly one `Statement`, never both: that is why
/// asking for the SQL of a running statement again gives a second, independent one.
struct StatementCache {
  private static let capacity = 64
  private var idle: [String: OpaquePointer] = [:]

  mutating func take(_ sql: String) -> OpaquePointer? {
    idle.removeValue(forKey: sql)
  }

  mutating func giveBack(_ handle: OpaquePointer, _ sql: String) {
    // A failure of the statement was reported when it was stepped; resetting only repeats it.
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    if idle.count >= Self.capacity, let victim = idle.keys.first {
      sqlite3_finalize(idle.removeValue(forKey: victim))
    }
    if let twin = idle.updateValue(handle, forKey: sql) {
      sqlite3_finalize(twin)
    }
  }

  mutating func removeAll() {
    for handle in idle.values { sqlite3_finalize(handle) }
    idle = [:]
  }
}

extension Connection {
  /// A statement for the one SQL statement in `sql`.
  ///
  /// It is the caller's alone. When the last reference to it goes, it is reset, its bindings are
  /// cleared, and the compiled form is kept for the next one who asks for the same SQL. Until then
  /// an unfinished one holds its locks.
  public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    if let handle = statements.take(sql) {
      return Statement(handle: handle, connection: self, cacheKey: sql)
    }
    guard let (handle, rest) = try compile(sql[...], persistent: true) else {
      throw failure(SQLITE_ERROR, "preparing", message: "there is no statement", sql)
    }
    let statement = Statement(handle: handle, connection: self, cacheKey: sql)
    if hasStatement(in: rest) {
      throw failure(
        SQLITE_MISUSE, "preparing", message: "there is more than one statement", sql)
    }
    return statement
  }

  /// Whether there is more than space and comments; that it cannot be compiled makes it no comment.
  private func hasStatement(in sql: Substring) -> Bool {
    do throws(SQLiteError) {
      guard let (handle, _) = try compile(sql, persistent: false) else { return false }
      sqlite3_finalize(handle)
    } catch {}
    return true
  }

  /// Compiles the first statement in `sql`; none if there is only space and comments.
  func compile(
    _ sql: Substring, persistent: Bool
  ) throws(SQLiteError) -> (OpaquePointer, rest: Substring)? {
    var rest = sql.drop(while: \.isWhitespace)
    // SQLite stops at a NUL and would silently ignore what follows.
    guard !rest.withUTF8({ staty_sqlite3_has_nul($0.baseAddress, $0.count) }) else {
      throw failure(SQLITE_ERROR, "preparing", message: "the SQL contains NUL", String(sql))
    }
    guard rest.utf8.count < Int32.max else {
      throw failure(SQLITE_TOOBIG, "preparing", message: "the SQL is too long")
    }
    while !rest.isEmpty {
      var statement: OpaquePointer?
      let (result, used) = compileOnce(rest, persistent, into: &statement)
      guard result == SQLITE_OK else { throw failure(result, "preparing", sql: String(rest)) }
      let end = rest.utf8.index(rest.startIndex, offsetBy: used)
      if let statement { return (statement, rest[end...]) }
      if rest.utf8[rest.startIndex..<end].isEmpty || used == rest.utf8.count { return nil }
      rest = rest[end...]
    }
    return nil
  }

  private func compileOnce(
    _ sql: Substring, _ persistent: Bool, into statement: inout OpaquePointer?
  ) -> (result: Int32, used: Int) {
    let flags = persistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    var copy = sql
    return copy.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        var tail: UnsafePointer<CChar>?
        let result = sqlite3_prepare_v3(
          handle, text.baseAddress, Int32(text.count), flags, &statement, &tail)
        guard let start = text.baseAddress, let tail else { return (result, text.count) }
        return (result, tail - start)
      }
    }
  }

  func failure(
    _ result: Int32, _ doing: String, message: String, _ sql: String? = nil
  ) -> SQLiteError {
    SQLiteError(extendedCode: result, message: message, doing: doing, sql: sql, path: path)
  }
}
