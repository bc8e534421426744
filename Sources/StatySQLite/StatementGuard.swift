import CSQLite

/// An action of a statement that is being compiled.
package enum StatementAction: Equatable, Sendable {
  /// Selects rows.
  case select
  /// Reads a column of a table or view.
  ///
  /// - Parameter view: the view that reads it; `nil` if the statement itself names the table.
  case read(table: String, column: String, view: String?)
  /// Calls a function.
  case function(String)
  /// Uses a recursive common table expression.
  case recursion
  /// Writes, attaches, configures, or does anything else that is not reading.
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

/// Limits what a connection compiles and how long it runs.
///
/// Use it on the thread of its connection. It works until `lift` is called.
package final class StatementGuard {
  private let connection: Connection
  private let isAllowed: (StatementAction) -> Bool
  private let mayGoOn: () -> Bool

  /// - Parameters:
  ///   - isAllowed: returns whether a statement may do an action. If not, it is not compiled.
  ///   - mayGoOn: returns whether a running statement may continue; called every few hundred
  ///     steps. If not, the statement is interrupted. It must not use the connection. It is not
  ///     called during a single long function, so low limits are needed too.
  package init(
    _ connection: Connection, isAllowed: @escaping (StatementAction) -> Bool,
    mayGoOn: @escaping () -> Bool
  ) {
    self.connection = connection
    self.isAllowed = isAllowed
    self.mayGoOn = mayGoOn
    // The pointer stays valid: both hooks are called only from this connection's own calls. `lift`,
    // which `deinit` calls too, removes them before this object is released.
    let unowned = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(
      connection.handle,
      { context, code, one, other, _, view in
        guard let context else { return SQLITE_DENY }
        let keeper = Unmanaged<StatementGuard>.fromOpaque(context).takeUnretainedValue()
        return keeper.isAllowed(StatementAction(code, one, other, view)) ? SQLITE_OK : SQLITE_DENY
      }, unowned)
    sqlite3_progress_handler(
      connection.handle, 500,
      { context in
        guard let context else { return 1 }
        let keeper = Unmanaged<StatementGuard>.fromOpaque(context).takeUnretainedValue()
        return keeper.mayGoOn() ? 0 : 1
      }, unowned)
  }

  deinit { lift() }

  /// Removes the limits.
  package func lift() {
    guard connection.isOpen else { return }
    sqlite3_set_authorizer(connection.handle, nil, nil)
    sqlite3_progress_handler(connection.handle, 0, nil, nil)
  }
}

extension Connection {
  /// The place of the last failure to compile, in bytes from the beginning of the SQL; `nil` if
  /// SQLite does not report it.
  package var errorOffset: Int? {
    let offset = staty_sqlite3_error_offset(handle)
    return offset < 0 ? nil : Int(offset)
  }

  /// Makes SQLite count the memory of this process's connections, so that it can be limited.
  ///
  /// Apple's SQLite needs this call, before SQLite is used for the first time.
  package static func countMemory() {
    // After the first use, SQLite refuses this and keeps its setting.
    _ = staty_sqlite3_count_memory()
  }

  /// Limits the memory of all connections of this process together, if SQLite counts it.
  ///
  /// A statement that needs more fails with `ResultCode.outOfMemory`.
  package static func limitMemory(bytes: Int64) {
    sqlite3_hard_heap_limit64(bytes)
  }
}
