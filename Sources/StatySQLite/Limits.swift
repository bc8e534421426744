import CSQLite

/// A limit that SQLite has for each connection, with SQLite's numbers.
package enum Limit: Int32, CaseIterable, Sendable {
  /// Bytes of a text, a blob or a row.
  case length = 0
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
}

extension Connection {
  /// The current value of a limit.
  package func limit(_ limit: Limit) -> Int {
    Int(sqlite3_limit(handle, limit.rawValue, -1))
  }

  /// Lowers or raises a limit, up to the maximum that SQLite was compiled with.
  package func setLimit(_ limit: Limit, to value: Int) {
    precondition(value >= 0, "A limit is not negative; \(value) is.")
    sqlite3_limit(handle, limit.rawValue, Int32(clamping: value))
  }
}
