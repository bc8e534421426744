package import StatyHistory
import LibC
import StatySQLite

/// The pages of a history as they lie on disk; those in the log replace those in the file.
///
/// A page has 4,096 bytes, as every recorder makes it.
final class PageSource {
  static let pageSize = WriteAheadLog.pageSize

  /// The number of pages, including a last one that is cut off.
  let count: Int
  /// The number of pages that should exist, by the log or else by the header; 0 if neither says it.
  private(set) var claimed = 0
  /// How many bytes of a page are used; some builds of SQLite reserve bytes at its end.
  private(set) var usable = PageSource.pageSize
  private let file: Int32
  private let log: Int32
  private let logged: WriteAheadLog
  private let pagesInFile: Int
  // In a hostile file each row may continue on the pages of all the others.
  private var stepsLeft: Int

  /// - Parameters:
  ///   - path: the path of a regular file, whose size was checked.
  ///   - hasLog: whether the file's log counts.
  init(_ path: String, hasLog: Bool = true) throws(HistoryError) {
    file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else {
      throw .notCopied(doing: "opening", reason: String(cString: strerror(errno)))
    }
    var status = stat()
    fstat(file, &status)
    log = hasLog ? WriteAheadLog.open(of: path) : -1
    logged = log < 0 ? WriteAheadLog() : WriteAheadLog(log)
    pagesInFile = (Int(status.st_size) + Self.pageSize - 1) / Self.pageSize
    // A log may hold one page under any number.
    let most = min(16 * (pagesInFile + logged.places.count) + 1_000, Int(Int32.max))
    var count = min(max(pagesInFile, Int(logged.places.keys.max() ?? 0)), most)
    // What the last commit has cut off stays in the file until the log is copied. Where a log is broken, it may not
    // be the last commit.
    if logged.pages > 0, logged.breaking(log, pagesInFile: pagesInFile) == nil {
      count = min(count, logged.pages)
    }
    self.count = count
    stepsLeft = 16 * count + 1_000
    guard let first, first.starts(with: DatabaseFile.mark) else { return }
    claimed = logged.pages > 0 ? logged.pages : Int(first.number(at: 28))
    usable = Self.pageSize - Int(first[20])
  }

  deinit {
    close(file)
    if log >= 0 { close(log) }
  }

  /// Where the log breaks off before its end.
  var logBreak: LogBreak? { logged.breaking(log, pagesInFile: pagesInFile) }

  private var first: [UInt8]? { page(1) }

  /// The bytes of a page, numbered from 1, with zeros for what was cut off; none if there is no
  /// such page.
  func page(_ number: Int) -> [UInt8]? {
    guard number > 0, number <= count else { return nil }
    let inLog = logged.places[UInt32(number)]
    let place = inLog ?? Int64(number - 1) * Int64(Self.pageSize)
    var bytes = [UInt8](repeating: 0, count: Self.pageSize)
    let length = pread(inLog == nil ? file : log, &bytes, Self.pageSize, off_t(place))
    return length > 0 ? bytes : nil
  }

  /// A page as a page of a tree; none if it is none.
  func tree(_ number: Int) -> TreePage? {
    page(number).flatMap { TreePage($0, isFirst: number == 1, usable: usable) }
  }

  /// The content of a cell; none if it cannot be read to its end, or is longer than any in a
  /// history.
  func content(_ cell: TreePage.Cell, of tree: TreePage) -> [UInt8]? {
    var content = Array(tree.bytes[cell.local])
    guard cell.length <= ReadingLimits.values[.length] ?? 0 else { return nil }
    for number in chain(of: cell) {
      content += page(number)?[4..<(4 + min(usable - 4, cell.length - content.count))] ?? []
    }
    return content.count == cell.length ? content : nil
  }

  /// The pages on which a cell continues.
  func chain(of cell: TreePage.Cell) -> [Int] {
    var (pages, number, left): ([Int], Int, Int) = ([], cell.rest, cell.length - cell.local.count)
    while left > 0, number != 0, stepsLeft > 0, let bytes = page(number) {
      stepsLeft -= 1
      pages.append(number)
      left -= usable - 4
      number = Int(bytes.number(at: 0))
    }
    return pages
  }

  /// The free pages.
  var freePages: Set<Int> {
    var pages: Set<Int> = []
    var trunk = claimed > 0 ? Int(first?.number(at: 32) ?? 0) : 0
    while pages.insert(trunk).inserted, let bytes = page(trunk) {
      let leaves = min(Int(bytes.number(at: 4)), usable / 4 - 2)
      pages.formUnion((0..<leaves).map { Int(bytes.number(at: 8 + 4 * $0)) })
      trunk = Int(bytes.number(at: 0))
    }
    return pages
  }

  /// Whether a page is a pointer map, which auto-vacuum files have.
  func isMap(_ number: Int) -> Bool { number >= 2 && (number - 2) % (usable / 5 + 1) == 0 }
}

// What must be checked in a file from elsewhere before SQLite reads it.
extension PageSource {
  /// The deepest tree that SQLite reads.
  private static let mostLevels = 20
  /// Several times as much as any version's schema has.
  private static let mostSchemaBytes = 1 << 20

  /// Refuses a file with a schema that would take SQLite much time or memory to read.
  func checkSchema() throws(HistoryError) {
    let present = pagesInFile + logged.places.count
    for size in [logged.pageSize, first.map { $0.short(at: 16) }] {
      guard let size, size != Self.pageSize, claimed > 0 || logged.pageSize != nil else { continue }
      throw .damaged("its pages have \(size) bytes, and those of a history \(Self.pageSize)")
    }
    guard logged.pages <= 16 * present + 1_000 else {
      throw .damaged("its log tells of \(logged.pages) pages, and \(present) are there")
    }
    var bytes = 0
    for number in try pages(of: [1]) {
      bytes += tree(number)?.cells.reduce(0) { $0 + $1.length } ?? 0
    }
    guard bytes <= Self.mostSchemaBytes else {
      throw .damaged("its schema has more than \(Self.mostSchemaBytes) bytes")
    }
  }

  /// The pages of trees, from their roots.
  ///
  /// Refuses trees that share a page, or are deeper than SQLite reads.
  ///
  /// SQLite follows links without checking for cycles: four pages that all lead to each other look
  /// like forty million rows to it.
  @discardableResult
  func pages(of roots: [Int]) throws(HistoryError) -> [Int] {
    var isMet = [Bool](repeating: false, count: count + 1)
    var pages: [Int] = []
    var open = roots.map { (number: $0, depth: 1) }
    while let (number, depth) = open.popLast() {
      guard number > 0, number <= count else { continue }
      guard depth <= Self.mostLevels else {
        throw .damaged("its page \(number) lies more than \(Self.mostLevels) levels deep")
      }
      guard !isMet[number] else { throw .damaged("more than one leads to its page \(number)") }
      isMet[number] = true
      pages.append(number)
      // Most pages are leaves, and lead to no other page.
      guard let kind = page(number).flatMap({ TreePage.Kind(rawValue: $0[number == 1 ? 100 : 0]) }),
        kind.isInner
      else { continue }
      open += (tree(number)?.children ?? []).map { ($0, depth + 1) }
    }
    return pages
  }
}

extension HistoryFile {
  /// The break in the log of a history; none if there is none.
  ///
  /// - Parameter path: the path of a file that no process writes.
  package static func logBreak(of path: String) -> LogBreak? {
    guard (try? HistoryReader.checkSize(of: path)) != nil else { return nil }
    return (try? PageSource(path))?.logBreak
  }
}
