import StatySQLite

extension HistoryFile {
  /// The highest number that is accepted: no recorder reaches it, and beyond it sums would
  /// overflow.
  package static let mostNumber = Int64.max / 2
}

// These are checked once, so that later sums need no check for overflow.
extension Connection {
  /// Refuses a file with a number that no recorder reaches.
  package func checkNumbers() throws {
    for table in ["event", "asking", "detail"] {
      // Two queries, each for one end of the table.
      try refuse(
        table,
        "SELECT 1 WHERE (SELECT min(seq) FROM \(table)) < 0 "
          + "OR (SELECT max(seq) FROM \(table)) > ?1")
    }
    for (table, numbers, counts) in [
      ("session", ["first_seq", "last_seq"], ["observed", "stored"]),
      ("loss", ["first_seq", "last_seq"], ["count"]),
      ("chain", ["first_seq", "last_seq"], ["count"]),
    ] {
      var beyond = (numbers + counts).map { "\($0) NOT BETWEEN 0 AND ?1" }
      // The sum of numbers in bounds may be out of bounds; it is rounded up.
      beyond += counts.map { "(SELECT total(\($0)) FROM \(table)) > ?1 + 1" }
      if numbers.count == 2 { beyond.append("\(numbers[1]) < \(numbers[0])") }
      try refuse(
        table, "SELECT 1 FROM \(table) WHERE \(beyond.joined(separator: " OR ")) LIMIT 1")
    }
    try checkSessions()
  }

  /// Refuses sessions that share numbers: every query would return their rows several times.
  private func checkSessions() throws {
    // An index may differ from the table.
    let rows = try prepare(
      "SELECT id, first_seq, last_seq FROM session NOT INDEXED ORDER BY first_seq")
    var before: (id: Int64, last: Int64)?
    while try rows.step() {
      let (id, first) = (rows.int64(at: 0), rows.int64(at: 1))
      if let before, before.last >= first {
        throw HistoryError.damaged("session \(id) begins before session \(before.id) ends")
      }
      before = (id, rows.isNull(at: 2) ? first : rows.int64(at: 2))
    }
  }

  private func refuse(_ table: String, _ question: String) throws {
    let rows = try prepare(question, HistoryFile.mostNumber)
    guard try rows.step() else { return }
    throw HistoryError.damaged("in table \(table) is a number that no recorder comes to")
  }
}
