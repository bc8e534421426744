import CSQLite

/// Compiled statements that are not in use, by their SQL.
///
/// A compiled statement is either in here or belongs to exactly one `Statement`. So preparing the
/// SQL of a running statement again returns a second, independent one.
struct StatementCache {
  /// The place for the statement of one SQL while it is not in use.
  ///
  /// A statement keeps its place, so that the SQL is looked up once for each use.
  final class Place {
    private var idle: OpaquePointer?
    private var isGivenUp = false
    /// Whether the statement was used since the last search for a place to release.
    ///
    /// The first use does not count. Otherwise a statement that is used once would count as much as
    /// one in constant use.
    fileprivate var wasTaken = false

    func take() -> OpaquePointer? {
      wasTaken = true
      defer { idle = nil }
      return idle
    }

    func giveBack(_ handle: OpaquePointer) {
      guard !isGivenUp else {
        sqlite3_finalize(handle)
        return
      }
      // A failure of the statement was reported when it was stepped. The reset only repeats it.
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
      if let idle { sqlite3_finalize(idle) }
      idle = handle
    }

    /// Releases the statement that is here or that is returned later.
    func giveUp() {
      isGivenUp = true
      if let idle = take() { sqlite3_finalize(idle) }
    }
  }

  private static let capacity = 128
  private var places: [String: Place] = [:]

  /// The place of this SQL's statement, if it has one.
  subscript(sql: String) -> Place? { places[sql] }

  /// Creates a place for this SQL's statement if it has none.
  mutating func place(for sql: String) -> Place {
    if let place = places[sql] { return place }
    if places.count >= Self.capacity { giveUpOne() }
    let place = Place()
    places[sql] = place
    return place
  }

  /// Releases a place that was not used for a while.
  ///
  /// Always releasing the first in the dictionary would release the same few again and again, even
  /// if they are in use.
  private mutating func giveUpOne() {
    let victim = places.first { _, place in
      defer { place.wasTaken = false }
      return !place.wasTaken
    }
    guard let key = victim?.key ?? places.keys.first else { return }
    places.removeValue(forKey: key)?.giveUp()
  }

  mutating func removeAll() {
    for place in places.values { place.giveUp() }
    places = [:]
  }
}

extension Connection {
  /// Returns a statement for the one SQL statement in `sql`.
  ///
  /// Only the caller uses it. When its last reference is released, it is reset, its bindings are
  /// cleared, and the compiled form is kept for the next use of the same SQL. Until then, a
  /// statement that has not ended keeps its locks.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    if let place = statements[sql], let handle = place.take() {
      return Statement(handle: handle, connection: self, place: place)
    }
    guard let (handle, rest) = try compile(sql[...], persistent: true) else {
      throw failure(SQLITE_ERROR, "preparing", message: "there is no statement", sql)
    }
    if hasStatement(in: rest) {
      sqlite3_finalize(handle)
      throw failure(
        SQLITE_MISUSE, "preparing", message: "there is more than one statement", sql)
    }
    return Statement(handle: handle, connection: self, place: statements.place(for: sql))
  }

  /// Whether the text has more than space and comments.
  ///
  /// A text that cannot be compiled counts as more.
  private func hasStatement(in sql: Substring) -> Bool {
    do throws(SQLiteError) {
      guard let (handle, _) = try compile(sql, persistent: false) else { return false }
      sqlite3_finalize(handle)
    } catch {}
    return true
  }

  /// Compiles the first statement in `sql`; returns `nil` if there is only space and comments.
  func compile(
    _ sql: Substring, persistent: Bool
  ) throws(SQLiteError) -> (OpaquePointer, rest: Substring)? {
    var rest = sql.drop(while: \.isWhitespace)
    // SQLite stops at a NUL and would silently ignore the rest.
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
