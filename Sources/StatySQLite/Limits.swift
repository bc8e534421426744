import CSQLite

/// A limit that SQLite has for each connection.
package enum Limit: CaseIterable, Sendable {
  /// Bytes of a text, a blob or a row.
  case length
  /// Bytes of one SQL statement.
  case sqlLength
  /// Columns of a table, a result or an index.
  case columns
  /// The depth of an expression.
  case expressionDepth
  /// Parts of a compound select.
  case compoundSelects
  /// Instructions of a compiled statement.
  case instructions
  /// Arguments of a function.
  case functionArguments
  /// Attached databases.
  case attachedDatabases
  /// Bytes of a `LIKE` or `GLOB` pattern.
  case patternLength
  /// The highest parameter number.
  case parameters
  /// The depth of triggers that call triggers.
  case triggerDepth
  /// Helper threads of one statement.
  case workerThreads

  fileprivate var number: Int32 {
    switch self {
    case .length: SQLITE_LIMIT_LENGTH
    case .sqlLength: SQLITE_LIMIT_SQL_LENGTH
    case .columns: SQLITE_LIMIT_COLUMN
    case .expressionDepth: SQLITE_LIMIT_EXPR_DEPTH
    case .compoundSelects: SQLITE_LIMIT_COMPOUND_SELECT
    case .instructions: SQLITE_LIMIT_VDBE_OP
    case .functionArguments: SQLITE_LIMIT_FUNCTION_ARG
    case .attachedDatabases: SQLITE_LIMIT_ATTACHED
    case .patternLength: SQLITE_LIMIT_LIKE_PATTERN_LENGTH
    case .parameters: SQLITE_LIMIT_VARIABLE_NUMBER
    case .triggerDepth: SQLITE_LIMIT_TRIGGER_DEPTH
    case .workerThreads: SQLITE_LIMIT_WORKER_THREADS
    }
  }
}

extension Connection {
  /// The current value of a limit.
  package func limit(_ limit: Limit) -> Int {
    Int(sqlite3_limit(handle, limit.number, -1))
  }

  /// Lowers or raises a limit, up to the maximum that SQLite was compiled with.
  package func setLimit(_ limit: Limit, to value: Int) {
    precondition(value >= 0, "A limit is not negative; \(value) is.")
    sqlite3_limit(handle, limit.number, Int32(clamping: value))
  }
}
