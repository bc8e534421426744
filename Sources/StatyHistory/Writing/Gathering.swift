import StatySQLite

/// Calls of a writer that share transactions.
struct Gathering {
  /// The number of changed rows after which a transaction ends; the last call may exceed it.
  private static let most = 20_000

  /// How many rows had been changed when the transaction began.
  private var begun = 0
  /// The error that made SQLite undo the whole transaction, including calls that had returned.
  private(set) var failure: (any Error)?

  /// Runs `body` as a part of the transaction; if it throws, only this part is undone.
  mutating func run<Result>(_ connection: Connection, _ body: () throws -> Result) throws -> Result
  {
    if let failure { throw failure }
    if !connection.isInTransaction {
      try connection.begin(.immediate)
      begun = connection.totalChanges
    }
    do {
      let result = try connection.savepoint(body)
      if connection.totalChanges - begun >= Self.most { try connection.commit() }
      return result
    } catch {
      if !connection.isInTransaction { failure = error }
      throw error
    }
  }
}

extension HistoryWriter {
  /// Stores what the calls inside of `body` write in one transaction.
  ///
  /// Use it for files that are useful only when they are whole: if this throws, it is not known how
  /// much is stored.
  package func gathering<Result>(_ body: () throws -> Result) throws -> Result {
    if gathering != nil { return try body() }
    gathering = Gathering()
    isGathering = true
    defer { (gathering, isGathering) = (nil, false) }
    do {
      let result = try body()
      try followRest()
      if let failure = gathering?.failure { throw failure }
      if connection.isInTransaction { try connection.commit() }
      return result
    } catch {
      connection.rollBack()
      (ledgers, followings, endFindings, unfollowed) = ([:], [:], [:], [])
      throw error
    }
  }

  func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    guard gathering != nil else { return try connection.transaction(.immediate, body) }
    return try gathering!.run(connection, body)
  }
}
