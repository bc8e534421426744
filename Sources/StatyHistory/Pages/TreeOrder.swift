import LibC

/// Whether the rows of a tree come in order, and each once.
///
/// SQLite searches a tree as if they did, and does not look: to who looks for the events of thousands of
/// sessions a table in no order has all of them for each, and an index that leads to one row from
/// everywhere has it as often.
struct TreeOrder {
  /// What it is by the schema.
  enum Part { case schema, table, index }

  let part: Part
  /// Whether its pages are those of a table; none before the first.
  private(set) var isTable: Bool?
  /// What its rows' numbers add up to, scattered: the same for a table and each index of it.
  private(set) var sum: UInt64 = 0
  // Whoever made the file does not know it.
  private let secret: UInt64
  private var last: Int64?
  private var lastEntry: [StoredValue] = []

  init(_ part: Part, secret: UInt64) { (self.part, self.secret) = (part, secret) }

  /// Whether a page of this kind belongs into it; SQLite refuses others.
  mutating func has(_ kind: TreePage.Kind) -> Bool {
    if let isTable { return isTable == kind.isTable }
    isTable = kind.isTable
    return true
  }

  /// Takes in a row of a table.
  ///
  /// - Returns: whether its number is larger than all before.
  mutating func take(row key: Int64) -> Bool {
    if let last, last >= key { return false }
    last = key
    count(key)
    return true
  }

  /// Takes in the largest number that a page may have.
  mutating func take(limit key: Int64) -> Bool {
    if let last, last > key { return false }
    last = key
    return true
  }

  /// Takes in an entry of an index, or a row of a table without row numbers, as far as it is known.
  mutating func take(entry: [StoredValue]) -> Bool {
    guard Self.isOrdered(lastEntry, entry) else { return false }
    lastEntry = entry
    guard part == .index else { return true }
    // An index ends with the number of the row.
    guard let key = entry.last?.integer else { return false }
    count(key)
    return true
  }

  private mutating func count(_ key: Int64) {
    sum &+= ContentHash.fold(UInt64(bitPattern: key), secret)
  }

  /// Whether one comes before the other, or as far as both are known is the same.
  private static func isOrdered(_ one: [StoredValue], _ other: [StoredValue]) -> Bool {
    for (left, right) in zip(one, other) where left != right { return left.isBefore(right) }
    return one.count != other.count || one.isEmpty
  }
}

extension StoredValue {
  /// Whether SQLite sorts it before another.
  fileprivate func isBefore(_ other: StoredValue) -> Bool {
    switch (self, other) {
    case (.integer(let one), .integer(let other)): one < other
    case (.text(let one), .text(let other)), (.blob(let one), .blob(let other)):
      Self.precedes(one, other)
    default: sort < other.sort
    }
  }

  private static func precedes(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    let order = one.withUnsafeBytes { one in
      other.withUnsafeBytes { other -> Int32 in
        guard let left = one.baseAddress, let right = other.baseAddress else { return 0 }
        return memcmp(left, right, min(one.count, other.count))
      }
    }
    return order == 0 ? one.count < other.count : order < 0
  }

  private var sort: Int {
    switch self {
    case .null: 0
    case .integer: 1
    case .text: 2
    case .blob: 3
    }
  }
}
