import StatySQLite

// The columns of `detail` in their order, written and read side by side.
extension EventDetail {
  static let columns = """
    seq, instance, origin, priority, equality, answers, asked, objection, refusal, refused_from,
    refused_needs, note, payload
    """

  static let insertion = """
    INSERT INTO detail(\(columns))
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
    """

  func insert(with statement: Statement) throws(SQLiteError) {
    func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
      if value == 0 {
        try statement.bindNull(at: index)
      } else {
        try statement.bind(value, at: index)
      }
    }
    try statement.bind(seq, at: 1)
    try bind(Int64(instance), at: 2)
    try bind(Int64(origin), at: 3)
    try bind(Int64(priority), at: 4)
    if let equality {
      try statement.bind(Int64(equality), at: 5)
    } else {
      try statement.bindNull(at: 5)
    }
    try bind(Int64(bitPattern: answers), at: 6)
    try bind(Int64(asked), at: 7)
    try bind(Int64(objection), at: 8)
    try bind(Int64(refusal), at: 9)
    try bind(Int64(refusedFrom), at: 10)
    try bind(Int64(refusedNeeds), at: 11)
    try statement.bind(note, at: 12)
    if let payload {
      try statement.bind(blob: payload, at: 13)
    } else {
      try statement.bindNull(at: 13)
    }
    try statement.run()
  }

  /// The detail that these columns say; numbers that are out of their range are cut.
  init(_ rows: Statement) throws {
    self.init(seq: rows.int64(at: 0))
    instance = UInt32(truncatingIfNeeded: rows.int64(at: 1))
    origin = UInt32(truncatingIfNeeded: rows.int64(at: 2))
    priority = Int32(truncatingIfNeeded: rows.int64(at: 3))
    equality = rows.isNull(at: 4) ? nil : UInt32(truncatingIfNeeded: rows.int64(at: 4))
    answers = UInt64(bitPattern: rows.int64(at: 5))
    asked = Int32(truncatingIfNeeded: rows.int64(at: 6))
    objection = UInt8(truncatingIfNeeded: rows.int64(at: 7))
    refusal = UInt8(truncatingIfNeeded: rows.int64(at: 8))
    refusedFrom = Int32(truncatingIfNeeded: rows.int64(at: 9))
    refusedNeeds = Int32(truncatingIfNeeded: rows.int64(at: 10))
    note = try rows.string(at: 11)
    payload = try rows.blob(at: 12)
  }

  /// Whether the columns say exactly this detail, with nothing cut.
  func isWhole(in rows: Statement) -> Bool {
    let numbers: [Int64] = [
      Int64(instance), Int64(origin), Int64(priority), Int64(equality ?? 0),
      Int64(bitPattern: answers), Int64(asked), Int64(objection), Int64(refusal),
      Int64(refusedFrom), Int64(refusedNeeds),
    ]
    return numbers.enumerated().allSatisfy { rows.int64(at: $0.offset + 1) == $0.element }
  }
}
