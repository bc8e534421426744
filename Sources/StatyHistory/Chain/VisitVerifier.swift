import StatySQLite

/// Compares the rows of a session's visits with those that follow from its events.
///
/// As sums of hashes: the rows that follow are known in the order in which visits end, and are too many
/// to be sorted.
enum VisitVerifier {
  private struct Sum: Equatable {
    var count = 0
    var hash: UInt64 = 0

    mutating func add(_ row: VisitRow) {
      count += 1
      hash &+= row.hash
    }
  }

  static func holds(_ session: SessionRecord, in connection: Connection) throws -> Bool {
    var computed = Sum()
    if session.lastSeq != nil {
      var following = SessionFollowing(session)
      try following.catchUp(connection, session, isOver: session.ended != .open) {
        rows, _ in
        for row in rows { computed.add(row) }
      }
      for row in following.takeRows() { computed.add(row) }
    }
    var stored = Sum()
    let rows = try connection.prepare("SELECT * FROM visit WHERE seq BETWEEN ?1 AND ?2")
    try rows.bind(session.firstSeq, at: 1)
    try rows.bind(session.lastOwnSeq, at: 2)
    while try rows.step() {
      guard let row = VisitRow(rows) else { return false }
      stored.add(row)
    }
    return stored == computed
  }
}

extension VisitRow {
  fileprivate var hash: UInt64 {
    var hash = ContentHash.fold(UInt64(bitPattern: seq), UInt64(bitPattern: what))
    hash = ContentHash.fold(hash, UInt64(UInt32(bitPattern: state)))
    for value in [from.map(Int64.init), asked, turn, free, told, entered, dismissed, gone] {
      hash = ContentHash.fold(hash, value.map { UInt64(bitPattern: $0) } ?? 0x6e6f_6e65)
    }
    return hash
  }

  /// The row that these columns say; none if a number is out of its range.
  fileprivate init?(_ rows: Statement) {
    func value(_ column: Int) -> Int64? { rows.isNull(at: column) ? nil : rows.int64(at: column) }
    let what = rows.int64(at: 1)
    guard let controller = Int32(exactly: what >> 5),
      let state = Int32(exactly: value(2) ?? 0)
    else { return nil }
    var from: Int32?
    if let number = value(3) {
      guard let known = Int32(exactly: number) else { return nil }
      from = known
    }
    self.init(
      seq: rows.int64(at: 0), controller: controller, outcome: UInt8(what & 31), state: state,
      from: from, asked: value(4), turn: value(5), free: value(6), told: value(7),
      entered: value(8), dismissed: value(9), gone: value(10))
  }
}
