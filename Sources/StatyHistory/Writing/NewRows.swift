import StatySQLite

extension Connection {
  /// Which of these rows are not stored yet, in order of seq and each once; none if all are new
  /// and in order as they are.
  func newRows(
    _ rows: UnsafeBufferPointer<EventRow>, in session: SessionRecord
  ) throws -> [EventRow]? {
    var previous = session.lastSeq ?? session.firstSeq - 1
    var isNewAndInOrder = true
    for row in rows {
      guard row.seq >= session.firstSeq, row.seq <= session.lastOwnSeq else {
        throw HistoryError.foreignNumber(seq: row.seq, session: session.id)
      }
      if row.seq <= previous { isNewAndInOrder = false }
      previous = row.seq
    }
    if isNewAndInOrder { return nil }
    var sorted = Array(rows).sorted { $0.seq < $1.seq }
    let stored = try storedNumbers(from: sorted[0].seq, through: sorted[sorted.count - 1].seq)
    var last: Int64?
    sorted.removeAll { row in
      defer { last = row.seq }
      return row.seq == last || stored.contains(row.seq)
    }
    return sorted
  }

  /// Which of the numbers from the first to the last have an event.
  func storedNumbers(from first: Int64, through last: Int64) throws -> Set<Int64> {
    let rows = try prepare("SELECT seq FROM event WHERE seq BETWEEN ?1 AND ?2")
    try rows.bind(first, at: 1)
    try rows.bind(last, at: 2)
    var numbers: Set<Int64> = []
    while try rows.step() { numbers.insert(rows.int64(at: 0)) }
    return numbers
  }
}
