import CSQLite

/// When a transaction takes its locks.
package enum TransactionKind: String, Sendable {
  /// At the first statement that needs one: may fail with `ResultCode.busy` in the middle.
  case deferred = "DEFERRED"
  /// The writer's lock at once: what follows cannot be refused by another writer.
  case immediate = "IMMEDIATE"
  /// As `immediate`; outside of write-ahead logging readers are kept out as well.
  case exclusive = "EXCLUSIVE"
}

extension Connection {
  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
  ///
  /// A commit that fails is rolled back too, and its error thrown. After an input/output error the
  /// outcome is unknown: read back before believing either. Transactions do not nest; `savepoint`
  /// does.
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

  /// Begins a transaction that `commit` or `rollBack` ends.
  package func begin(_ kind: TransactionKind) throws(SQLiteError) {
    try control("BEGIN \(kind.rawValue)")
  }

  package func commit() throws(SQLiteError) { try control("COMMIT") }

  /// Undoes what was done since `begin`, unless SQLite has done so by itself, as after some failures:
  /// a second time would be an error that hides the first.
  package func rollBack() { if isInTransaction { try? control("ROLLBACK") } }

  /// Runs `body` as a part of the open transaction (or one of its own) that is undone by itself
  /// when `body` throws.
  ///
  /// May be nested.
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
