import StatySQLite

/// The things that have numbers of their own in a ring.
package enum AliasKind: Int64, Sendable, CaseIterable {
  /// The name of a state, or of something that a route needs.
  case name = 1
  /// A place in the code.
  case site
  /// A controller.
  case controller
}

/// The meaning in the file of a number in the ring of a session.
package struct Alias: Equatable, Sendable {
  /// The kind of thing that has the number.
  package var kind: AliasKind
  /// The number in the ring.
  package var number: UInt32
  /// The number in the file.
  package var id: Int32

  /// A number in the ring, and the number in the file that it stands for.
  package init(kind: AliasKind, number: UInt32, id: Int32) {
    self.kind = kind
    self.number = number
    self.id = id
  }
}

extension HistoryWriter {
  /// Stores the meanings of numbers in the ring of a session, until the session ends.
  package func store(aliases: [Alias], session: Int64) throws(HistoryError) {
    try writing {
      let insert = try connection.prepare(
        "INSERT OR REPLACE INTO alias(session, kind, number, id) VALUES (?1, ?2, ?3, ?4)")
      for alias in aliases {
        try insert.run(session, alias.kind.rawValue, Int64(alias.number), Int64(alias.id))
      }
    }
  }

  /// Forgets the numbers of a session that is over.
  package func forgetAliases(session: Int64) throws(HistoryError) {
    try writing { try removeAliases(of: session) }
  }

  /// Forgets the numbers of all sessions that are over: of those that were killed before they could be forgotten.
  package func forgetAliasesOfEndedSessions() throws(HistoryError) {
    let ended = try asHistoryError { () throws(SQLiteError) in
      let rows = try connection.prepare(
        """
        SELECT id FROM session WHERE ended <> 'open'
          AND id IN (SELECT session FROM alias UNION SELECT session FROM continuation)
        """)
      var ended: [Int64] = []
      while try rows.step() { ended.append(rows.int64(at: 0)) }
      return ended
    }
    for session in ended { try forgetAliases(session: session) }
  }

  /// The same as `forgetAliases`, as a part of a transaction; also forgets where the session began
  /// in the ring.
  func removeAliases(of session: Int64) throws {
    for table in ["alias", "continuation"] {
      try connection.run("DELETE FROM \(table) WHERE session = ?1", session)
    }
  }
}

extension HistoryReader {
  /// The meanings of numbers in the ring of a session, if the session is open.
  package func aliases(session: Int64) throws(HistoryError) -> [Alias] {
    try asHistoryError { try connection.aliases(session: session) }
  }
}

extension Connection {
  /// The stored meanings of a session's numbers.
  ///
  /// Kinds that no version has written are ignored, and so are unknown numbers in the file.
  func aliases(session: Int64) throws(SQLiteError) -> [Alias] {
    let rows = try prepare(
      """
      SELECT kind, number, id FROM alias WHERE session = ?1 AND CASE kind
        WHEN 1 THEN id IN (SELECT id FROM name)
        WHEN 2 THEN id IN (SELECT id FROM site)
        ELSE id IN (SELECT id FROM controller) END
      """, session)
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
