import StatySQLite

/// What has a number of its own in a ring.
package enum AliasKind: Int64, Sendable, CaseIterable {
  /// The name of a state or of what a route needs.
  case name = 1
  /// A place in the code.
  case site
  /// A controller.
  case controller
}

/// What a number in the ring of a session means in the file.
package struct Alias: Equatable, Sendable {
  /// What has the number.
  package var kind: AliasKind
  /// The number in the ring.
  package var number: UInt32
  /// The number in the file.
  package var id: Int32

  /// This number in the ring means that one in the file.
  package init(kind: AliasKind, number: UInt32, id: Int32) {
    self.kind = kind
    self.number = number
    self.id = id
  }
}

extension HistoryWriter {
  /// Stores what numbers in the ring of a session mean, until the session ends.
  package func store(aliases: [Alias], session: Int64) throws(HistoryError) {
    try writing {
      let insert = try connection.prepare(
        "INSERT OR REPLACE INTO alias(session, kind, number, id) VALUES (?1, ?2, ?3, ?4)")
      for alias in aliases {
        try insert.bind(session, at: 1)
        try insert.bind(alias.kind.rawValue, at: 2)
        try insert.bind(Int64(alias.number), at: 3)
        try insert.bind(Int64(alias.id), at: 4)
        try insert.run()
      }
    }
  }

  /// What was stored of a session's numbers.
  package func aliases(session: Int64) throws(HistoryError) -> [Alias] {
    try asHistoryError { try connection.aliases(session: session) }
  }

  /// Forgets the numbers of a session that is over.
  package func forgetAliases(session: Int64) throws(HistoryError) {
    try writing { try removeAliases(of: session) }
  }

  /// As `forgetAliases`, as part of a transaction, with where in the ring the session began.
  func removeAliases(of session: Int64) throws {
    for table in ["alias", "continuation"] {
      let delete = try connection.prepare("DELETE FROM \(table) WHERE session = ?1")
      try delete.bind(session, at: 1)
      try delete.run()
    }
  }
}

extension Connection {
  /// What is stored of a session's numbers; what no version has written is passed over, and so is a
  /// number in the file that nothing has.
  func aliases(session: Int64) throws(SQLiteError) -> [Alias] {
    let rows = try prepare(
      """
      SELECT kind, number, id FROM alias WHERE session = ?1 AND CASE kind
        WHEN 1 THEN id IN (SELECT id FROM name)
        WHEN 2 THEN id IN (SELECT id FROM site)
        ELSE id IN (SELECT id FROM controller) END
      """)
    try rows.bind(session, at: 1)
    var aliases: [Alias] = []
    while try rows.step() {
      guard let kind = AliasKind(rawValue: rows.int64(at: 0)) else { continue }
      aliases.append(
        Alias(
          kind: kind, number: UInt32(truncatingIfNeeded: rows.int64(at: 1)),
          id: Int32(truncatingIfNeeded: rows.int64(at: 2))))
    }
    return aliases
  }
}
