import StatySQLite

/// Who leads to the pages of a file: one at most.
///
/// SQLite follows from page to page and does not ask who has been there before: four pages that lead
/// to one another from everywhere are forty million rows to it, and a thousand rows that go on in the
/// same pages a gigabyte of text. So each way is gone once before it sees a file from elsewhere, and
/// read as loosely as SQLite reads it: what it refuses itself is left to it.
struct PageOwners {
  private let source: PageSource
  /// Whether the file has pages that say which page leads to which.
  private let hasMaps: Bool
  /// A bit for each page to which something leads.
  private var owned: [UInt64]
  private let cells: LooseCells
  private var schema: [[UInt8]] = []
  private var schemaBytes = 0

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
    var owners = PageOwners(
      source, reserved: Int(first[20]), hasMaps: first.number(at: 52) != 0)
    for root in try owners.roots() { try owners.follow(root) }
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

  private init(_ source: PageSource, reserved: Int, hasMaps: Bool) {
    self.source = source
    self.hasMaps = hasMaps
    owned = [UInt64](repeating: 0, count: source.count / 64 + 1)
    cells = LooseCells(usable: PageSource.pageSize - reserved)
  }

  /// The first pages of tables and indexes, by the schema.
  private mutating func roots() throws(HistoryError) -> [Int] {
    try follow(1, isSchema: true)
    var roots: [Int] = []
    for row in schema {
      // SQLite would take a number that is written in another way, too.
      guard let values = StoredValue.values(row), values.count == 5,
        let root = values[3].integer
      else { throw .damaged("its schema has a row that no recorder writes") }
      if root != 0 { roots.append(Int(root)) }
    }
    return roots
  }

  /// Goes from a tree's first page to all others that belong to it.
  private mutating func follow(_ root: Int, isSchema: Bool = false) throws(HistoryError) {
    var open = [root]
    while let number = open.popLast() {
      guard number > 0, number <= source.count else { continue }
      try own(number)
      guard let bytes = source.padded(number) else { continue }
      let start = number == 1 ? 100 : 0
      guard let kind = TreePage.Kind(rawValue: bytes[start]) else { continue }
      for cell in cells.all(of: bytes, start, kind) {
        // Most rows are all in their page, and lead nowhere.
        guard kind.isInner || cell.rest != 0 || isSchema else { continue }
        if kind.isInner { open.append(cell.child) }
        if kind == .table, cell.rest != 0, !isSchema { try checkRow(cell, bytes, number) }
        let rest = try chain(cell)
        if isSchema, kind == .table { try add(cell, bytes, rest) }
      }
      if kind.isInner { open.append(Int(bytes.number(at: start + 8))) }
    }
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
    while left > 0, number > 0, number <= source.count {
      try own(number)
      pages.append(number)
      left -= cells.usable - 4
      guard left > 0, let bytes = source.padded(number) else { break }
      let next = Int(bytes.number(at: 0))
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

  private mutating func add(
    _ cell: LooseCells.Cell, _ bytes: [UInt8], _ rest: [Int]
  ) throws(HistoryError) {
    schemaBytes += cell.length
    guard schemaBytes <= Self.mostSchemaBytes else {
      throw .damaged("its schema has more than \(Self.mostSchemaBytes) bytes")
    }
    var row = Array(bytes[cell.local])
    for page in rest { row += source.padded(page)?[4..<cells.usable] ?? [] }
    schema.append(Array(row.prefix(cell.length)))
  }
}

/// The cells of a page as SQLite finds them, which does not ask whether they lie in order or over one
/// another.
private struct LooseCells {
  struct Cell {
    /// The page below; 0 in a leaf.
    var child = 0
    /// How many bytes its content has, and where those stand that are in the page.
    var length = 0
    var local = 0..<0
    /// The page on which the rest begins.
    var rest = 0
  }

  /// How many bytes of a page are used.
  let usable: Int

  /// - Parameter start: where the page begins, behind the file's header in the first.
  func all(of bytes: [UInt8], _ start: Int, _ kind: TreePage.Kind) -> [Cell] {
    let count = bytes.short(at: start + 3)
    let pointers = start + (kind.isInner ? 12 : 8)
    // SQLite refuses a page with more.
    guard count <= (bytes.count - 8) / 6, pointers + 2 * count <= bytes.count else { return [] }
    var cells: [Cell] = []
    for index in 0..<count {
      let place = bytes.short(at: pointers + 2 * index) & (bytes.count - 1)
      if let cell = cell(bytes, place, kind) { cells.append(cell) }
    }
    return cells
  }

  /// - Returns: none if it reaches beyond its page, so that SQLite refuses it.
  private func cell(_ bytes: [UInt8], _ start: Int, _ kind: TreePage.Kind) -> Cell? {
    var cell = Cell()
    var place = start
    if kind.isInner {
      guard place + 4 <= bytes.count else { return nil }
      cell.child = Int(bytes.number(at: place))
      place += 4
    }
    if kind == .innerTable { return cell }
    guard let length = varint(bytes, &place) else { return kind.isInner ? cell : nil }
    if kind == .table { _ = varint(bytes, &place) }
    // SQLite counts with 32 bits.
    cell.length = Int(UInt32(truncatingIfNeeded: length))
    let end = place + local(cell.length, kind)
    guard end <= usable else { return kind.isInner ? Cell(child: cell.child) : nil }
    cell.local = place..<end
    if cell.local.count < cell.length, end + 4 <= bytes.count {
      cell.rest = Int(bytes.number(at: end))
    }
    return cell
  }

  // SQLite takes seven bits of a length's ninth byte, too, where the format has eight.
  private func varint(_ bytes: [UInt8], _ place: inout Int) -> UInt64? {
    var number: UInt64 = 0
    for _ in 0..<9 {
      guard place < bytes.count else { return nil }
      let byte = bytes[place]
      place += 1
      number = number << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { break }
    }
    return number
  }

  /// How much of a content stands in the page itself, as the file format has it.
  private func local(_ length: Int, _ kind: TreePage.Kind) -> Int {
    let most = kind.isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    guard length > most else { return length }
    let least = (usable - 12) * 32 / 255 - 23
    let fitting = least + (length - least) % (usable - 4)
    return fitting <= most ? fitting : least
  }
}
