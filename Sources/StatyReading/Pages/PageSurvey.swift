import StatySQLite

/// Finds the rows of all tables in a file that may be damaged.
///
/// It reads every page, whether or not another page leads to it. A writer overwrites what it
/// removes, so rows that can be read are rows of the history.
final class PageSurvey {
  /// A page with rows of one table.
  private struct Leaf {
    let page: Int
    let count: Int
    let first: Int64
    let last: Int64
    var width: UInt64 { UInt64(bitPattern: last &- first) }
  }

  let source: PageSource
  /// The number of pages that exist, or should exist.
  let pages: Int
  /// The number of pages that no history can have, including those with a row that none can have.
  private(set) var lost = 0
  private var leaves: [StoredTable: [Leaf]] = [:]
  private var roots: [String: Int] = [:]
  // Neighbouring ranges share a page.
  private var last: [StoredTable: (page: Int, rows: [StoredRow])] = [:]

  /// Reads every page.
  init(_ source: PageSource) {
    self.source = source
    pages = max(source.count, min(source.claimed, Int(Int32.max)))
    var known = source.freePages
    var unknown: [Int] = []
    for number in 0..<source.count where !look(at: number + 1, &known) {
      unknown.append(number + 1)
    }
    lost = pages - source.count
    lost += unknown.count { !known.contains($0) && !source.isMap($0) }
    for (table, found) in leaves { leaves[table] = Self.apart(found) }
    for row in rows(of: .schema) {
      if let name = row.values[1].text, let root = row.values[3].integer { roots[name] = Int(root) }
    }
  }

  /// - Returns: whether it is a page of a tree, and all of its rows can be read.
  private func look(at number: Int, _ known: inout Set<Int>) -> Bool {
    guard let page = source.tree(number) else { return false }
    let found = page.kind == .table ? rows(on: page) : nil
    guard page.isWhole || found != nil else { return false }
    for cell in page.cells where cell.rest != 0 { known.formUnion(source.chain(of: cell)) }
    if let (table, rows) = found {
      leaves[table, default: []].append(
        Leaf(
          page: number, count: rows.count, first: rows[0].key, last: rows[rows.count - 1].key))
    }
    // The root page of a table without rows holds none.
    return page.kind != .table || found?.rows.count ?? 0 == page.cells.count
  }

  /// The leaves in the order of their rows.
  ///
  /// Of two with overlapping numbers, the one with the wider range is left out: a flipped bit in a
  /// row's number makes such a range.
  private static func apart(_ leaves: [Leaf]) -> [Leaf] {
    var apart: [Leaf] = []
    for leaf in leaves.sorted(by: { ($0.first, $0.last) < ($1.first, $1.last) }) {
      while let before = apart.last, before.last >= leaf.first, before.width > leaf.width {
        apart.removeLast()
      }
      if let before = apart.last, before.last >= leaf.first { continue }
      apart.append(leaf)
    }
    return apart
  }

  /// The rows of a table with these numbers, in order.
  func rows(of table: StoredTable, in keys: ClosedRange<Int64> = .min ... .max) -> [StoredRow] {
    var rows: [StoredRow] = []
    for leaf in own(table, keys) {
      rows += self.rows(on: leaf.page, of: table).filter { keys.contains($0.key) }
    }
    return rows
  }

  /// How many rows of a table have these numbers, and the last number of such a row.
  func count(of table: StoredTable, in keys: ClosedRange<Int64>) -> (rows: Int64, last: Int64?) {
    var (count, last): (Int64, Int64?) = (0, nil)
    for leaf in own(table, keys) {
      if keys.contains(leaf.first), keys.contains(leaf.last) {
        (count, last) = (count + Int64(leaf.count), leaf.last)
      } else {
        let rows = rows(on: leaf.page, of: table).filter { keys.contains($0.key) }
        (count, last) = (count + Int64(rows.count), rows.last?.key ?? last)
      }
    }
    return (count, last)
  }

  private func own(_ table: StoredTable, _ keys: ClosedRange<Int64>) -> ArraySlice<Leaf> {
    let leaves = leaves[table] ?? []
    return leaves[leaves.partition { $0.last >= keys.lowerBound }...]
      .prefix { $0.first <= keys.upperBound }
  }

  private func rows(on number: Int, of table: StoredTable) -> [StoredRow] {
    if let last = last[table], last.page == number { return last.rows }
    let rows = source.tree(number).flatMap { self.rows(on: $0) }?.rows ?? []
    last[table] = (number, rows)
    return rows
  }

  /// The rows on a page, all of the same table as the first that is of any; none if no row is.
  ///
  /// A row that does not fit is left out, so that a flipped bit does not cost the rows next to it.
  private func rows(on page: TreePage) -> (table: StoredTable, rows: [StoredRow])? {
    let rows = page.cells.compactMap { row($0, page) }
    guard let table = rows.lazy.compactMap(StoredTable.init(of:)).first else { return nil }
    return (table, Self.inOrder(rows.filter { StoredTable(of: $0) == table }))
  }

  /// The most of these rows whose numbers are in order.
  private static func inOrder(_ rows: [StoredRow]) -> [StoredRow] {
    if zip(rows, rows.dropFirst()).allSatisfy({ $0.key < $1.key }) { return rows }
    // For each length, the row with the lowest number at which so many end; and for each row, the one before it.
    var ends: [Int] = []
    var before: [Int?] = []
    for (index, row) in rows.enumerated() {
      let length = ends.partition { rows[$0].key >= row.key }
      before.append(length == 0 ? nil : ends[length - 1])
      ends.replaceSubrange(length..<min(length + 1, ends.count), with: [index])
    }
    var kept: [StoredRow] = []
    var next = ends.last
    while let index = next {
      kept.append(rows[index])
      next = before[index]
    }
    return kept.reversed()
  }

  private func row(_ cell: TreePage.Cell, _ page: TreePage) -> StoredRow? {
    source.content(cell, of: page).flatMap(StoredValue.values).map {
      StoredRow(key: cell.key, values: $0)
    }
  }

  /// The entries of an index, or the rows of a table without row numbers, where its tree can be
  /// followed.
  func entries(of index: String) -> [[StoredValue]] {
    guard let root = roots[index] else { return [] }
    var entries: [[StoredValue]] = []
    var open = [root]
    var seen: Set<Int> = []
    while let number = open.popLast() {
      guard seen.insert(number).inserted, let page = source.tree(number), !page.kind.isTable else {
        continue
      }
      entries += page.cells.compactMap { source.content($0, of: page).flatMap(StoredValue.values) }
      open += page.children
    }
    return entries
  }
}

extension Array {
  /// The index of the first element that fulfils the condition; all behind it must fulfil it, too.
  func partition(_ isBeyond: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
