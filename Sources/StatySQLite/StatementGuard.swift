import CSQLite

/// What a statement that is being compiled wants to do.
package enum StatementAction: Equatable, Sendable {
  /// It selects something.
  case select
  /// It reads a column of a table or view.
  ///
  /// - Parameter view: the view that reads it; none if the statement itself names the table.
  case read(table: String, column: String, view: String?)
  /// It calls a function.
  case function(String)
  /// It uses a common table expression that names itself.
  case recursion
  /// It writes, attaches, configures or anything else that is no reading.
  case other

  fileprivate init(
    _ code: Int32, _ one: UnsafePointer<CChar>?, _ other: UnsafePointer<CChar>?,
    _ view: UnsafePointer<CChar>?
  ) {
    func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
    switch code {
    case SQLITE_SELECT: self = .select
    case SQLITE_READ:
      self = .read(table: text(one) ?? "", column: text(other) ?? "", view: text(view))
    case SQLITE_FUNCTION: self = .function(text(other) ?? "")
    case SQLITE_RECURSIVE: self = .recursion
    default: self = .other
    }
  }
}

/// Watches what a connection compiles and how long it runs.
///
/// It belongs where its connection belongs, and is in force until `lift` is called.
package final class StatementGuard {
  private let connection: Connection
  private let isAllowed: (StatementAction) -> Bool
  private let mayGoOn: () -> Bool

  /// - Parameters:
  ///   - isAllowed: whether a statement may do something; it is not compiled if not.
  ///   - mayGoOn: asked every few thousand steps of a running statement, which is interrupted if
  ///     not. It must not use the connection. One that is inside of a single long function is not
  ///     asked: low limits are what bounds those.
  package init(
    _ connection: Connection, isAllowed: @escaping (StatementAction) -> Bool,
    mayGoOn: @escaping () -> Bool
  ) {
    self.connection = connection
    self.isAllowed = isAllowed
    self.mayGoOn = mayGoOn
    // The pointer stays valid: both hooks are called only from this connection's own calls, and
    // `lift`, or the end of this object, which calls it, takes them away before the object goes.
    let unowned = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(
      connection.handle,
      { context, code, one, other, _, view in
        guard let context else { return SQLITE_DENY }
        let keeper = Unmanaged<StatementGuard>.fromOpaque(context).takeUnretainedValue()
        return keeper.isAllowed(StatementAction(code, one, other, view)) ? SQLITE_OK : SQLITE_DENY
      }, unowned)
    sqlite3_progress_handler(
      connection.handle, 4_000,
      { context in
        guard let context else { return 1 }
        let keeper = Unmanaged<StatementGuard>.fromOpaque(context).takeUnretainedValue()
        return keeper.mayGoOn() ? 0 : 1
      }, unowned)
  }

  deinit { lift() }

  /// Ends the watch.
  package func lift() {
    guard connection.isOpen else { return }
    sqlite3_set_authorizer(connection.handle, nil, nil)
    sqlite3_progress_handler(connection.handle, 0, nil, nil)
  }
}

extension Connection {
  /// Where in the SQL the last failure to compile lies, in bytes from its beginning; none if
  /// SQLite does not say.
  package var errorOffset: Int? {
    let offset = staty_sqlite3_error_offset(handle)
    return offset < 0 ? nil : Int(offset)
  }

  /// Lets SQLite count the memory of this process's connections, so that it can be limited.
  ///
  /// Apple's does so only if asked, which has to be done before SQLite is first used.
  package static func countMemory() {
    // Afterwards it is refused, and what was built in holds.
    _ = staty_sqlite3_count_memory()
  }

  /// Bounds what all connections of this process may have in memory together, where SQLite
  /// counts it; a statement that needs more fails with `ResultCode.outOfMemory`.
  package static func limitMemory(bytes: Int64) {
    sqlite3_hard_heap_limit64(bytes)
  }
}
