import StatySQLite

/// Calls of a writer that share transactions.
struct Gathering {
  /// A transaction takes that many changed rows, and what the last call adds to them.
  private static let most = 20_000

  /// How many rows had been changed when the transaction began.
  private var begun = 0
  /// What made SQLite take back the whole transaction, and with it what calls had returned from.
  private(set) var failure: (any Error)?

  /// Runs `body` as a part of the transaction, undone by itself when it throws.
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
  /// Stores what the calls inside of `body` write by many in one transaction.
  ///
  /// For files that are of use to nobody before they are whole: when this throws, nobody knows how
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
      (ledgers, followings, unfollowed) = ([:], [:], [])
      throw error
    }
  }

  func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    guard gathering != nil else { return try connection.transaction(.immediate, body) }
    return try gathering!.run(connection, body)
  }
}
