import StatySQLite

/// Where in a file that may be damaged the rows of its tables stand.
///
/// Every page is looked at once, whether anything leads to it or not.
final class PageSurvey {
  /// A page with rows, all of one table.
  struct Leaf {
    let page: Int
    let first: Int64
    let last: Int64
  }

  let source: PageSource
  /// How many pages there are, or are said to be.
  var pages: Int { max(source.count, min(source.claimed, Int(Int32.max))) }
  /// How many pages are none that a history could have.
  private(set) var lost = 0
  /// Of those, which have something on them.
  private(set) var broken: [Int] = []
  private var isFirstLost = false
  private var leaves: [StoredTable: [Leaf]] = [:]
  private var tables: [StoredTable?]
  private let free: Set<Int>
  private var roots: [String: Int] = [:]
  private var walks: [StoredTable: TreeWalk] = [:]

  /// Looks at every page.
  init(_ source: PageSource) {
    self.source = source
    tables = [StoredTable?](repeating: nil, count: source.count + 1)
    free = Set(source.freePages)
    var known = free
    var doubtful: [Int] = []
    var number = 0
    while number < source.count {
      number += 1
      guard let bytes = source.page(number) else {
        doubtful.append(number)
        continue
      }
      if !look(at: bytes, number, &known) { doubtful.append(number) }
    }
    for number in doubtful where !known.contains(number) && !source.isMap(number) {
      lost += 1
      if number == 1 { isFirstLost = true }
      if let bytes = source.page(number), bytes.contains(where: { $0 != 0 }) {
        broken.append(number)
      }
    }
    lost += pages - source.count
    for row in rows(of: .schema) { note(schema: row) }
  }

  /// The pages that hold rows of a table, in the order of these.
  ///
  /// Those that the table's tree leads to, and those that lie beside: what leads to them is damaged.
  /// What a writer removes it overwrites, so that they are nothing that was to be forgotten.
  func leaves(of table: StoredTable) -> [Leaf] {
    let all = (leaves[table] ?? []).sorted { $0.first < $1.first }
    guard let walk = walk(table) else { return all }
    let reached = all.filter { walk.reached.contains($0.page) }
    let others = orphans(of: table, walk).filter { leaf in
      !reached.contains { $0.first <= leaf.last && leaf.first <= $0.last }
    }
    return (reached + others).sorted { $0.first < $1.first }
  }

  /// The numbers of rows that may have stood on pages that are lost.
  func lostKeys(of table: StoredTable) -> [ClosedRange<Int64>] {
    guard let walk = walk(table) else { return [.min ... .max] }
    // A tree that does not lead to all of its leaves and does not know what it has lost leads wrong.
    let leadsWrong = orphans(of: table, walk).contains { leaf in
      !walk.lost.contains { $0.contains(leaf.first) && $0.contains(leaf.last) }
    }
    return leadsWrong ? [.min ... .max] : walk.lost
  }

  /// Whether rows of a table may be lost that an index of it does not have either.
  func mayLackRows(of table: StoredTable, in index: String) -> Bool {
    // On the first page stands where tables begin, and no table.
    lost > (isFirstLost ? 1 : 0) && !lostKeys(of: table).isEmpty && !follow(index).isWhole
  }

  private func orphans(of table: StoredTable, _ walk: TreeWalk) -> [Leaf] {
    (leaves[table] ?? []).filter { !walk.reached.contains($0.page) && !free.contains($0.page) }
  }

  /// The rows of a table that has few.
  func rows(of table: StoredTable) -> [StoredRow] {
    let leaves = table == .schema ? leaves[.schema] ?? [] : leaves(of: table)
    return leaves.flatMap { rows(on: $0.page, of: table) ?? [] }
  }

  /// The rows on a page; none unless all of them are of this table.
  func rows(on number: Int, of table: StoredTable) -> [StoredRow]? {
    guard let bytes = source.page(number),
      let page = TreePage(bytes, isFirst: number == 1), page.kind == .table
    else { return nil }
    var rows: [StoredRow] = []
    rows.reserveCapacity(page.cells.count)
    for cell in page.cells {
      guard let row = row(cell, bytes), StoredTable(of: row) == table else { return nil }
      rows.append(row)
    }
    return rows
  }

  /// What may be rows on pages that are broken, by their tables, in order.
  ///
  /// No more pages are searched than that: of a file of which so much is damaged others say more.
  private(set) lazy var remains: [StoredTable: [StoredRow]] = {
    var remains: [StoredTable: [StoredRow]] = [:]
    for number in broken.prefix(500) {
      guard let bytes = source.page(number) else { continue }
      for cell in TreePage.remains(of: bytes) where cell.rest == 0 {
        guard let row = row(cell, bytes), let table = StoredTable(of: row) else { continue }
        remains[table, default: []].append(row)
      }
    }
    return remains.mapValues { $0.sorted { $0.key < $1.key } }
  }()

  /// The rows of an index, or of a table without row numbers, as far as its tree can be followed.
  func entries(of index: String) -> [[StoredValue]] { follow(index).entries }

  private func follow(_ index: String) -> (entries: [[StoredValue]], isWhole: Bool) {
    guard let root = roots[index] else { return ([], false) }
    var entries: [[StoredValue]] = []
    var isWhole = true
    var open = [root]
    var seen: Set<Int> = []
    while let number = open.popLast() {
      guard seen.insert(number).inserted, let bytes = source.page(number),
        let page = TreePage(bytes), !page.kind.isTable
      else {
        isWhole = false
        continue
      }
      for cell in page.cells {
        if let content = content(cell, bytes), let values = StoredValue.values(content) {
          entries.append(values)
        } else {
          isWhole = false
        }
      }
      open += page.children
    }
    return (entries, isWhole)
  }
}

// MARK: Looking

extension PageSurvey {
  /// Whether it is a page of a tree, in all its bytes.
  private func look(at bytes: [UInt8], _ number: Int, _ known: inout Set<Int>) -> Bool {
    guard let page = TreePage(bytes, isFirst: number == 1) else { return false }
    for cell in page.cells where cell.rest != 0 {
      known.formUnion(source.chain(from: cell.rest, length: cell.length - cell.local.count))
    }
    guard page.kind == .table else { return true }
    // The root of a table without rows.
    guard let first = page.cells.first, let last = page.cells.last else { return true }
    guard let row = row(first, bytes), let table = StoredTable(of: row) else { return false }
    tables[number] = table
    leaves[table, default: []].append(Leaf(page: number, first: first.key, last: last.key))
    return true
  }

  private func row(_ cell: TreeCell, _ bytes: [UInt8]) -> StoredRow? {
    guard let content = content(cell, bytes), let values = StoredValue.values(content) else {
      return nil
    }
    return StoredRow(key: cell.key, values: values)
  }

  private func content(_ cell: TreeCell, _ bytes: [UInt8]) -> [UInt8]? {
    var content = Array(bytes[cell.local])
    guard cell.rest != 0 else { return content }
    // Nobody reads one that is longer.
    guard cell.length <= ReadingLimits().values[.length] ?? 0 else { return nil }
    let pages = source.chain(from: cell.rest, length: cell.length - content.count)
    for number in pages {
      guard let page = source.page(number) else { return nil }
      content += page[4..<(4 + min(page.count - 4, cell.length - content.count))]
    }
    return content.count == cell.length ? content : nil
  }

  private func note(schema row: StoredRow) {
    guard let name = row.values[1].text, let root = row.values[3].integer, root > 0,
      roots[name] == nil
    else { return }
    roots[name] = Int(clamping: root)
  }

  private func walk(_ table: StoredTable) -> TreeWalk? {
    if let known = walks[table] { return known }
    guard let root = roots[table.called] else { return nil }
    var walk = TreeWalk(source: source, table: table, tables: tables)
    walk.go(to: root, .min ... .max, depth: 0)
    walks[table] = walk
    return walk
  }
}

/// The way through the tree of a table.
private struct TreeWalk {
  let source: PageSource
  let table: StoredTable
  let tables: [StoredTable?]
  /// The leaves that it leads to.
  private(set) var reached: Set<Int> = []
  /// The numbers of rows to which it leads no more.
  private(set) var lost: [ClosedRange<Int64>] = []
  private var seen: Set<Int> = []

  init(source: PageSource, table: StoredTable, tables: [StoredTable?]) {
    (self.source, self.table, self.tables) = (source, table, tables)
  }

  mutating func go(to number: Int, _ keys: ClosedRange<Int64>, depth: Int) {
    guard depth < 20, seen.insert(number).inserted, let bytes = source.page(number),
      let page = TreePage(bytes), page.kind.isTable,
      page.cells.allSatisfy({ keys.contains($0.key) })
    else {
      lost.append(keys)
      return
    }
    if page.kind == .table {
      if page.cells.isEmpty { return }
      if tables[number] == table { reached.insert(number) } else { lost.append(keys) }
      return
    }
    var low = keys.lowerBound
    for (index, child) in page.children.enumerated() {
      let high = index < page.cells.count ? page.cells[index].key : keys.upperBound
      if low <= high { go(to: child, low...high, depth: depth + 1) }
      low = high == .max ? .max : high + 1
    }
  }
}
