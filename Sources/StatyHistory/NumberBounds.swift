import StatySQLite

extension HistoryFile {
  /// No recorder numbers or counts further: with what a file says beyond it nothing can be computed.
  package static let mostNumber = Int64.max / 2
}

// Checked once, so that later sums need no check for overflow.
extension Connection {
  /// Refuses a file with a number that no recorder comes to.
  func checkNumbers() throws {
    for table in ["event", "asking", "detail"] {
      // Two queries, each of which reads one place of the table.
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
      // Of numbers that are in bounds the sum may not be; it is rounded up.
      beyond += counts.map { "(SELECT total(\($0)) FROM \(table)) > ?1 + 1" }
      if numbers.count == 2 { beyond.append("\(numbers[1]) < \(numbers[0])") }
      try refuse(
        table, "SELECT 1 FROM \(table) WHERE \(beyond.joined(separator: " OR ")) LIMIT 1")
    }
    try checkSessions()
  }

  /// Refuses sessions that have each other's numbers: whatever is asked of each would be answered as often
  /// as there are of them.
  private func checkSessions() throws {
    // An index may say something else than the table.
    let rows = try prepare(
      "SELECT id, first_seq, last_seq FROM session NOT INDEXED ORDER BY first_seq")
    defer { rows.reset() }
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
    let rows = try prepare(question)
    try rows.bind(HistoryFile.mostNumber, at: 1)
    defer { rows.reset() }
    guard try rows.step() else { return }
    throw HistoryError.damaged("in table \(table) is a number that no recorder comes to")
  }
}
