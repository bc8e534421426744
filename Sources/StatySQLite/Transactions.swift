import CSQLite

/// The moment at which a transaction takes its locks.
package enum TransactionKind: String, Sendable {
  /// At the first statement that needs one, so it may fail with `ResultCode.busy` in the middle.
  case deferred = "DEFERRED"
  /// The writer's lock at once, so other writers cannot make a later statement fail.
  case immediate = "IMMEDIATE"
}

extension Connection {
  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Runs `body` in a transaction, which is committed when it returns and rolled back when it
  /// throws.
  ///
  /// A commit that fails is rolled back too, and its error is thrown. After an input/output error,
  /// read the data back, because the outcome is unknown. Transactions cannot be nested; use
  /// `savepoint` for that.
  package func transaction<Result>(
    _ kind: TransactionKind = .immediate, _ body: () throws -> Result
  ) throws -> Result {
    try begin(kind)
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Begins a transaction.
  ///
  /// End it with `commit` or `rollBack`.
  package func begin(_ kind: TransactionKind) throws(SQLiteError) {
    try control("BEGIN \(kind.rawValue)")
  }

  package func commit() throws(SQLiteError) { try control("COMMIT") }

  /// Undoes the changes since `begin`, unless SQLite has already done so after a failure.
  ///
  /// A second rollback would be an error that hides the first one.
  package func rollBack() { if isInTransaction { try? control("ROLLBACK") } }

  /// Runs `body` as a part of the open transaction, or in a new one, and undoes this part alone if
  /// `body` throws.
  ///
  /// Savepoints can be nested.
  package func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    savepoints += 1
    defer { savepoints -= 1 }
    let name = "staty_\(savepoints)"
    try control("SAVEPOINT \(name)")
    do {
      let result = try body()
      try control("RELEASE \(name)")
      return result
    } catch {
      if isInTransaction {
        try? control("ROLLBACK TO \(name)")
        try? control("RELEASE \(name)")
      }
      throw error
    }
  }

  private func control(_ sql: String) throws(SQLiteError) {
    try prepare(sql).run()
  }
}
