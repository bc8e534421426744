package import StatySQLite

/// The checksum of what the rules found in a session: the column `judgement`.
///
/// It is a sum, so that a finding that comes or goes takes no longer than its row.
extension Connection {
  /// Whether the findings of a session, and the edition of the rules, are as they were stored.
  package func holdsJudgement(of session: SessionRecord) throws -> Bool {
    let sum = try judgement(of: session.id, edition: session.edition)
    return try storedJudgement(of: session.id).sum == sum
  }

  /// Stores which edition of the rules checks a session.
  func store(edition: Int, of session: Int64) throws {
    let stored = try storedJudgement(of: session)
    if stored.edition == edition { return }
    try run(
      "UPDATE session SET rules = ?2, judgement = ?3 WHERE id = ?1", session, edition,
      Int64(bitPattern: stored.sum &- part(edition: stored.edition) &+ part(edition: edition)))
  }

  /// Adds a change to the checksum of a session's findings.
  func addToJudgement(of session: Int64, _ change: UInt64) throws {
    if change == 0 { return }
    try run(
      "UPDATE session SET judgement = ?2 WHERE id = ?1", session,
      Int64(bitPattern: storedJudgement(of: session).sum &+ change))
  }

  /// The sum of some findings.
  ///
  /// - Parameters:
  ///   - condition: which, in SQL.
  ///   - value: the value of its parameter.
  func sumOfFindings(where condition: String, _ value: Int64) throws -> UInt64 {
    let rows = try prepare(
      """
      SELECT id, seq, code, severity, controller, visit, state, detail, is_final FROM finding
      WHERE \(condition)
      """, value)
    var sum: UInt64 = 0
    while try rows.step() {
      var hash: UInt64 = 0
      for column in 0..<rows.columnCount {
        let part: UInt64 =
          switch rows.kind(at: column) {
          case .null: 0x6e6f_6e65
          case .integer: UInt64(bitPattern: rows.int64(at: column))
          default: try rows.string(at: column).map(ContentHash.text) ?? 0
          }
        hash = ContentHash.fold(hash, part)
      }
      sum &+= hash
    }
    return sum
  }

  private func judgement(of session: Int64, edition: Int?) throws -> UInt64 {
    try part(edition: edition) &+ sumOfFindings(where: "session = ?1", session)
  }

  private func part(edition: Int?) -> UInt64 {
    edition.map { ContentHash.fold(UInt64(bitPattern: Int64($0)), 0x5255_4c45) } ?? 0
  }

  private func storedJudgement(of session: Int64) throws -> (edition: Int?, sum: UInt64) {
    let rows = try prepare("SELECT rules, judgement FROM session WHERE id = ?1", session)
    guard try rows.step() else { return (nil, 0) }
    return (
      rows.isNull(at: 0) ? nil : Int(rows.int64(at: 0)), UInt64(bitPattern: rows.int64(at: 1))
    )
  }
}
