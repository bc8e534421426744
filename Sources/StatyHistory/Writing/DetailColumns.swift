import StatySQLite

// The columns of `detail` and of `asking` in their order, with writing and reading side by side.
extension EventDetail {
  static let columns = """
    seq, priority, equality, answers, asked, objection, refusal, refused_from, refused_needs, step,
    age, note, payload
    """

  static let insertion = """
    INSERT INTO detail(\(columns))
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
    """

  /// Whether it has a row in `asking`.
  var hasAsking: Bool { instance != 0 || origin != 0 }

  /// Whether it has a row in `detail`: for rare parts, or because it is empty, which the checksum
  /// chain covers, too.
  var hasRest: Bool {
    // Part by part: a copy to compare would count references, for nearly every request.
    if !hasAsking || priority != 0 || equality != nil || answers != 0 || asked != 0 { return true }
    if objection != 0 || refusal != 0 || refusedFrom != 0 || refusedNeeds != 0 { return true }
    return step != 0 || age != 0 || note != nil || payload != nil
  }

  /// The number of bytes of its parts of variable size.
  var bytes: Int { (payload?.count ?? 0) + (note?.utf8.count ?? 0) }

  /// Stores the part that belongs to `detail`.
  func insert(with statement: Statement) throws(SQLiteError) {
    func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
      if value == 0 {
        try statement.bindNull(at: index)
      } else {
        try statement.bind(value, at: index)
      }
    }
    try statement.bind(seq, at: 1)
    try bind(Int64(priority), at: 2)
    if let equality {
      try statement.bind(Int64(equality), at: 3)
    } else {
      try statement.bindNull(at: 3)
    }
    try bind(Int64(bitPattern: answers), at: 4)
    try bind(Int64(asked), at: 5)
    try bind(Int64(objection), at: 6)
    try bind(Int64(refusal), at: 7)
    try bind(Int64(refusedFrom), at: 8)
    try bind(Int64(refusedNeeds), at: 9)
    try bind(Int64(step), at: 10)
    try bind(age, at: 11)
    try statement.bind(note, at: 12)
    if let payload {
      try statement.bind(blob: payload, at: 13)
    } else {
      try statement.bindNull(at: 13)
    }
    try statement.run()
  }

  /// Adds a row of `asking`; numbers out of their range are cut.
  mutating func takeAsking(_ rows: Statement) {
    instance = UInt32(truncatingIfNeeded: rows.int64(at: 1))
    origin = UInt32(truncatingIfNeeded: rows.int64(at: 2))
  }

  /// Adds a row of `detail`; numbers out of their range are cut.
  mutating func takeRest(_ rows: Statement) throws {
    priority = Int32(truncatingIfNeeded: rows.int64(at: 1))
    equality = rows.isNull(at: 2) ? nil : UInt32(truncatingIfNeeded: rows.int64(at: 2))
    answers = UInt64(bitPattern: rows.int64(at: 3))
    asked = Int32(truncatingIfNeeded: rows.int64(at: 4))
    objection = UInt8(truncatingIfNeeded: rows.int64(at: 5))
    refusal = UInt8(truncatingIfNeeded: rows.int64(at: 6))
    refusedFrom = Int32(truncatingIfNeeded: rows.int64(at: 7))
    refusedNeeds = Int32(truncatingIfNeeded: rows.int64(at: 8))
    step = UInt32(truncatingIfNeeded: rows.int64(at: 9))
    age = rows.int64(at: 10)
    note = try rows.string(at: 11)
    payload = try rows.blob(at: 12)
  }

  /// Whether a row of `asking` has exactly this content, with nothing cut.
  func isWholeAsking(in rows: Statement) -> Bool {
    rows.holds(Int64(instance), at: 1) && rows.holds(Int64(origin), at: 2)
  }

  /// Whether a row of `detail` has exactly this content, with nothing cut.
  func isWholeRest(in rows: Statement) -> Bool {
    let numbers: [Int64] = [
      Int64(bitPattern: answers), Int64(asked), Int64(objection), Int64(refusal),
      Int64(refusedFrom), Int64(refusedNeeds), Int64(step), age,
    ]
    // An equality of 0 is a number, too.
    return rows.holds(Int64(priority), at: 1) && rows.int64(at: 2) == Int64(equality ?? 0)
      && numbers.enumerated().allSatisfy { rows.holds($0.element, at: $0.offset + 3) }
  }
}
