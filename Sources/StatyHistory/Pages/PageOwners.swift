import StatySQLite

/// Who leads to the pages of a file: one at most.
///
/// SQLite follows from page to page and does not ask who has been there before: four pages that lead
/// to one another from everywhere are forty million rows to it, and a thousand rows that go on in the
/// same pages a gigabyte of text. So each way is gone once before it sees a file from elsewhere, in the
/// order of what is on it, and read as loosely as SQLite reads it: what it refuses itself is left to it.
struct PageOwners {
  private let source: PageSource
  /// Whether the file has pages that say which page leads to which.
  private let hasMaps: Bool
  /// A bit for each page to which something leads.
  private var owned: [UInt64]
  private let cells: LooseCells
  /// Whether it says that it is a history, whose rows can be told; others are refused by name.
  private let isHistory: Bool
  private let secret = UInt64.random(in: .min ... .max)
  private var schema: [[UInt8]] = []
  private var schemaBytes = 0

  /// SQLite goes no deeper.
  private static let mostLevels = 20

  /// Several times as much as any version's schema has.
  private static let mostSchemaBytes = 1 << 20

  /// Refuses a file that has a page to which more than one leads.
  ///
  /// - Parameter hasLog: whether the log beside it counts.
  static func check(_ path: String, hasLog: Bool = true) throws(HistoryError) {
    let source = try PageSource(path, hasLog: hasLog)
    try checkSize(source)
    guard let first = source.padded(1), first.starts(with: DatabaseFile.mark) else { return }
    let size = first.short(at: 16)
    guard size == PageSource.pageSize else {
      throw .damaged("its pages have \(size) bytes, and those of a history \(PageSource.pageSize)")
    }
    var owners = PageOwners(source, header: first)
    try owners.followAll()
  }

  /// Refuses a log that tells of far more pages than there are.
  private static func checkSize(_ source: PageSource) throws(HistoryError) {
    if let size = source.pageSizeInLog, size != PageSource.pageSize {
      throw .damaged(
        "the pages of its log have \(size) bytes, and those of a history \(PageSource.pageSize)")
    }
    guard let claimed = source.claimedInLog, claimed > 16 * source.present + 1_000 else { return }
    throw .damaged("its log tells of \(claimed) pages, and \(source.present) are there")
  }

  private init(_ source: PageSource, header: [UInt8]) {
    self.source = source
    hasMaps = header.number(at: 52) != 0
    isHistory = header.number(at: 68) == UInt32(HistoryFile.applicationID)
    owned = [UInt64](repeating: 0, count: source.count / 64 + 1)
    cells = LooseCells(usable: PageSource.pageSize - Int(header[20]))
  }

  private mutating func followAll() throws(HistoryError) {
    _ = try follow(1, .schema)
    let roots = try roots()
    var tables: [String: TreeOrder] = [:]
    for root in roots where !root.isIndex {
      let order = try follow(root.page, .table)
      if order.isTable == true { tables[root.table] = order }
    }
    var indexes: [(table: String, sum: UInt64)] = []
    for root in roots where root.isIndex {
      indexes.append((root.table, try follow(root.page, .index).sum))
    }
    for index in indexes where isHistory {
      guard let table = tables[index.table], table.sum != index.sum else { continue }
      throw .damaged("an index of its table \(index.table) does not lead to each row once")
    }
  }

  /// The first pages of tables and indexes, by the schema.
  private func roots() throws(HistoryError) -> [(page: Int, isIndex: Bool, table: String)] {
    var roots: [(Int, Bool, String)] = []
    for row in schema {
      // SQLite would take a number that is written in another way, too.
      guard let values = StoredValue.values(row), values.count == 5,
        let root = values[3].integer
      else { throw .damaged("its schema has a row that no recorder writes") }
      if root == 0 { continue }
      roots.append((Int(root), values[0].text == "index", values[2].text ?? ""))
    }
    return roots
  }

  /// What is still to be looked at of a tree, in its order.
  private enum Step {
    case page(Int, depth: Int)
    case limit(Int64)
    case entry([StoredValue])
  }

  /// Goes from a tree's first page to all others that belong to it.
  private mutating func follow(
    _ root: Int, _ part: TreeOrder.Part
  ) throws(HistoryError) -> TreeOrder {
    var order = TreeOrder(part, secret: secret)
    var open = [Step.page(root, depth: 1)]
    var last = root
    // Thrown when all is seen: that a page belongs to several says more.
    var fault: HistoryError?
    while let step = open.popLast() {
      let isOrdered =
        switch step {
        case .page(let number, let depth):
          try look(at: number, depth, &order, &open, &fault)
        case .limit(let key): order.take(limit: key)
        case .entry(let values): order.take(entry: values)
        }
      if case .page(let number, _) = step, number <= source.count { last = number }
      if !isOrdered, isHistory, fault == nil {
        fault = .damaged("what is on its page \(last), or below, is in no order")
      }
    }
    if let fault { throw fault }
    return order
  }

  /// - Returns: whether what is on it comes in order.
  private mutating func look(
    at number: Int, _ depth: Int, _ order: inout TreeOrder, _ open: inout [Step],
    _ fault: inout HistoryError?
  ) throws(HistoryError) -> Bool {
    guard number > 0, number <= source.count else { return true }
    guard depth <= Self.mostLevels else {
      throw .damaged("its page \(number) lies more than \(Self.mostLevels) levels deep")
    }
    try own(number)
    guard let bytes = source.padded(number) else { return true }
    let start = number == 1 ? 100 : 0
    guard let kind = TreePage.Kind(rawValue: bytes[start]), order.has(kind) else { return true }
    let found = cells.all(of: bytes, start, kind)
    if cells.overlap(found) {
      if fault == nil { fault = .damaged("on its page \(number) one lies over another") }
      // Who they are does not matter any more, of which one page could have thousands.
      open += found.reversed().map { .page($0.child, depth: depth + 1) }
      return true
    }
    var below: [Step] = []
    var isOrdered = true
    for cell in found {
      if kind.isInner { below.append(.page(cell.child, depth: depth + 1)) }
      switch kind {
      case .innerTable: below.append(.limit(cell.key))
      case .table:
        isOrdered = order.take(row: cell.key) && isOrdered
        // Most rows are all in their page, and lead nowhere.
        guard cell.rest != 0 || order.part == .schema else { continue }
        if order.part != .schema { try checkRow(cell, bytes, number) }
        let rest = try chain(cell)
        if order.part == .schema { try add(cell, bytes, rest) }
      case .innerIndex, .index:
        let values = try entry(cell, bytes, number, order.part)
        if kind.isInner {
          below.append(.entry(values))
        } else {
          isOrdered = order.take(entry: values) && isOrdered
        }
      }
    }
    if kind.isInner { below.append(.page(Int(bytes.number(at: start + 8)), depth: depth + 1)) }
    open += below.reversed()
    return isOrdered
  }

  private mutating func own(_ number: Int) throws(HistoryError) {
    let bit = UInt64(1) << UInt64(number % 64)
    guard owned[number / 64] & bit == 0 else {
      throw .damaged("more than one leads to its page \(number)")
    }
    owned[number / 64] |= bit
  }

  /// The pages on which the content of a cell goes on.
  private mutating func chain(_ cell: LooseCells.Cell) throws(HistoryError) -> [Int] {
    var pages: [Int] = []
    var left = cell.length - cell.local.count
    var number = cell.rest
    while left > 0, number > 0 {
      guard number <= source.count else {
        throw .damaged("something goes on on its page \(number), and it has \(source.count)")
      }
      try own(number)
      pages.append(number)
      left -= cells.usable - 4
      if left <= 0 { break }
      // One that is not there SQLite takes for zeros, and then it may ask the map, too.
      let next = source.padded(number).map { Int($0.number(at: 0)) } ?? 0
      if hasMaps, let other = nextInMap(number), other != next {
        throw .damaged("its page \(number) goes on in page \(next), and by its map in \(other)")
      }
      number = next
    }
    return pages
  }

  /// The page on which a content goes on by the map of pages, which SQLite asks when it passes one over;
  /// none if that is not the next.
  private func nextInMap(_ number: Int) -> Int? {
    let perMap = cells.usable / 5 + 1
    func map(_ page: Int) -> Int { (page - 2) / perMap * perMap + 2 }
    var next = number + 1
    while next == map(next) { next += 1 }
    guard let bytes = source.padded(map(next)) else { return nil }
    let entry = 5 * (next - map(next) - 1)
    // 4 is the mark of a page on which something goes on that has gone on before.
    guard entry + 5 <= bytes.count, bytes[entry] == 4, Int(bytes.number(at: entry + 1)) == number
    else { return nil }
    return next
  }

  /// Refuses a row with much in it where none of a history has it: whoever looks for what comes behind
  /// that would go through all of it each time.
  private func checkRow(
    _ cell: LooseCells.Cell, _ bytes: [UInt8], _ page: Int
  ) throws(HistoryError) {
    guard let kinds = StoredValue.kinds(bytes[cell.local]), StoredTable.mayHave(kinds) else {
      throw .damaged("its page \(page) has a row that no recorder writes")
    }
  }

  /// An entry of an index, or of a table without row numbers, as far as it is looked at.
  private mutating func entry(
    _ cell: LooseCells.Cell, _ bytes: [UInt8], _ page: Int, _ part: TreeOrder.Part
  ) throws(HistoryError) -> [StoredValue] {
    let local = Array(bytes[cell.local])
    let rest = cell.rest == 0 ? [] : try chain(cell)
    guard isHistory else { return [] }
    guard cell.rest != 0 else {
      if let values = StoredValue.values(local) { return values }
      throw .damaged("its page \(page) has an entry that no recorder writes")
    }
    // SQLite reads all of it each time that it comes by.
    guard let kinds = StoredValue.kinds(bytes[cell.local]),
      part == .index, StoredTable.mayHaveLong(entry: kinds)
    else { throw .damaged("its page \(page) has an entry that no recorder writes") }
    guard cell.length <= Self.mostEntryBytes else {
      throw .damaged(
        "an entry on its page \(page) has \(cell.length) bytes, and a name has "
          + "\(HistoryFile.mostNameBytes) at most")
    }
    if let values = StoredValue.values(content(cell, bytes, rest)) { return values }
    throw .damaged("its page \(page) has an entry that no recorder writes")
  }

  /// A name, and beside it two numbers and what says how long each is.
  private static let mostEntryBytes = HistoryFile.mostNameBytes + 64

  private func content(_ cell: LooseCells.Cell, _ bytes: [UInt8], _ rest: [Int]) -> [UInt8] {
    var content = Array(bytes[cell.local])
    let zeros = [UInt8](repeating: 0, count: PageSource.pageSize)
    for page in rest { content += (source.padded(page) ?? zeros)[4..<cells.usable] }
    return Array(content.prefix(cell.length))
  }

  private mutating func add(
    _ cell: LooseCells.Cell, _ bytes: [UInt8], _ rest: [Int]
  ) throws(HistoryError) {
    schemaBytes += cell.length
    guard schemaBytes <= Self.mostSchemaBytes else {
      throw .damaged("its schema has more than \(Self.mostSchemaBytes) bytes")
    }
    schema.append(content(cell, bytes, rest))
  }
}
