import Foundation
import StatySQLite
import Testing

@testable import StatyHistory
@testable import StatyReading

/// A file with shared pages would be read without end, or look far larger than it is.
@Suite struct HostilePagesTests {
  private let history: TemporaryHistory

  init() throws {
    history = try TemporaryHistory()
    try history.write(SmallHistory.write)
  }

  private func refusal(hasLog: Bool = true) -> HistoryError? {
    do throws(HistoryError) {
      _ = try HistoryReader(receivedAt: history.path, hasLog: hasLog)
      return nil
    } catch {
      return error
    }
  }

  /// What SQLite's own check has to find.
  private func expectFault(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let error = "\(try #require(refusal(), sourceLocation: sourceLocation))"
    #expect(error.contains("SQLite finds '"), "\(error)", sourceLocation: sourceLocation)
  }

  /// Changes the file's pages; the one behind the last is added if it is written to.
  private func change(_ body: (inout FilePages) throws -> Void) throws {
    var pages = try FilePages(history.path)
    try body(&pages)
    try pages.write(history.path)
  }

  private func root(of table: String) throws -> Int {
    let rows = try history.query("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
    return try #require(Int(rows[0]))
  }

  @Test func `a sound one has none, however large its values are`() throws {
    try history.tamper(
      """
      INSERT INTO detail(seq, payload) SELECT value, zeroblob(value * 37) FROM json_each('[\(
        (100..<900).map { "\($0)" }.joined(separator: ","))]');
      INSERT INTO name(text) SELECT hex(zeroblob(seq * 30)) FROM detail
      """)
    #expect(refusal() == nil)
    try history.tamper("DELETE FROM detail WHERE seq % 3 = 0; VACUUM")
    #expect(refusal() == nil)
  }

  @Test(arguments: ["event", "name", "controller"])
  func `a page to which one page leads twice is refused`(_ table: String) throws {
    let root = try root(of: table)
    var last = 0
    try change { pages in
      last = pages.count + 1
      pages[last] = pages[root]
      pages[root] = FilePages.inner(leadingTo: last, times: 2)
    }
    #expect(refusal() == .damaged("more than one leads to its page \(last)"))
    #expect(refusal(hasLog: false) == refusal())
  }

  @Test
  func `pages that lead to one another millions of times are refused before SQLite sees them`()
    throws
  {
    let root = try root(of: "event")
    try change { pages in
      let leaf = pages[root]
      let last = pages.count + 1
      for level in 0..<8 { pages[last + level] = FilePages.inner(leadingTo: last + level + 1) }
      pages[last + 8] = leaf
      pages[root] = FilePages.inner(leadingTo: last)
    }
    #expect("\(try #require(refusal()))".contains("more than one leads to its page"))
  }

  @Test func `a tree that is deeper than SQLite goes is refused`() throws {
    let root = try root(of: "event")
    try change { pages in
      let leaf = pages[root]
      let last = pages.count + 1
      for level in 0..<30 {
        pages[last + level] = FilePages.inner(leadingTo: last + level + 1, times: 1)
      }
      pages[last + 30] = leaf
      pages[root] = FilePages.inner(leadingTo: last, times: 1)
    }
    #expect("\(try #require(refusal()))".contains("lies more than 20 levels deep"))
  }

  @Test func `so is a schema of such pages`() throws {
    try change { pages in
      let last = pages.count + 1
      pages[last] = FilePages.inner(leadingTo: last + 1)
      pages[last + 1] = FilePages.inner(leadingTo: last + 2)
      pages[last + 2] = [13] + [UInt8](repeating: 0, count: 4_095)
      var first = FilePages.inner(leadingTo: last)
      // Behind the file's header, and the same cells.
      first.replaceSubrange(100..<124, with: first[0..<24])
      pages[1].replaceSubrange(100..., with: first[100...])
    }
    #expect("\(try #require(refusal()))".contains("more than one leads to its page"))
  }

  @Test func `two tables that begin on one page are refused`() throws {
    let (event, name) = (try root(of: "event"), try root(of: "name"))
    try history.tamper(
      """
      PRAGMA writable_schema = 1;
      UPDATE sqlite_schema SET rootpage = \(event) WHERE rootpage = \(name)
      """)
    #expect(refusal() == .damaged("more than one leads to its page \(event)"))
  }

  @Test func `values that go on on the same pages are refused`() throws {
    try history.tamper(
      "INSERT INTO detail(seq, payload) VALUES (90, zeroblob(9000)), (91, zeroblob(9000))")
    #expect(refusal() == nil)
    var shared = 0
    try change { pages in
      var first: Int?
      for page in 2...pages.count {
        guard let tree = TreePage(pages[page]), tree.kind == .table else { continue }
        for cell in tree.cells where cell.rest != 0 {
          if let first {
            pages[page].replaceSubrange(
              cell.local.upperBound..<cell.local.upperBound + 4, with: FilePages.number(first))
            shared = first
          } else {
            first = cell.rest
          }
        }
      }
    }
    #expect(shared > 0)
    try expectFault()
  }

  @Test func `a last page that is cut off is read as SQLite reads it`() throws {
    let root = try root(of: "event")
    try change { pages in
      let last = pages.count + 1
      pages[last] = pages[root]
      pages[last + 1] = FilePages.inner(leadingTo: last)
      // To the one that is cut off leads one alone.
      pages[root] = FilePages.inner(leadingTo: last + 1, times: 1)
    }
    let size = try FileManager.default.attributesOfItem(atPath: history.path)[.size] as? Int
    #expect(truncate(history.path, off_t(try #require(size) - 1)) == 0)
    #expect("\(try #require(refusal()))".contains("more than one leads to its page"))
  }

  @Test func `a value that goes on elsewhere by the map of pages is refused`() throws {
    // Without free pages those of the value follow each other.
    try history.tamper("PRAGMA incremental_vacuum")
    try history.tamper("INSERT INTO detail(seq, payload) VALUES (90, zeroblob(20000))")
    #expect(refusal() == nil)
    try change { pages in
      for page in 3...pages.count {
        guard let tree = TreePage(pages[page]), tree.kind == .table else { continue }
        for cell in tree.cells where cell.rest != 0 {
          // Without the map of pages, it would end with its first page.
          pages[cell.rest].replaceSubrange(0..<4, with: FilePages.number(0))
        }
      }
    }
    try expectFault()
  }

  @Test func `values that go on where there is no page, or behind the last, are refused`() throws {
    try history.tamper("INSERT INTO detail(seq, payload) VALUES (90, zeroblob(20000))")
    var (page, count) = (0, 0)
    try change { pages in
      count = pages.count
      for number in 3...pages.count {
        guard let tree = TreePage(pages[number]), tree.kind == .table,
          let cell = tree.cells.first(where: { $0.rest != 0 })
        else { continue }
        page = number
        pages[number].replaceSubrange(
          cell.local.upperBound..<cell.local.upperBound + 4, with: FilePages.number(count + 1))
      }
    }
    #expect(page > 0)
    try expectFault()
    // A log that names a page behind it, by the map in which the hole continues in the next page.
    let map = [UInt8](repeating: 0, count: 5 * (count - 1)) + [4] + FilePages.number(count + 1)
    let log = FrameLog(
      pages: [
        (2, map + [UInt8](repeating: 0, count: 4_096 - map.count)),
        (count + 3, [UInt8](repeating: 0, count: 4_096)),
      ], size: UInt32(count + 3))
    try Data(log.bytes).write(to: URL(fileURLWithPath: history.path + "-wal"))
    try expectFault()
  }

  @Test(arguments: [
    "UPDATE name SET text = zeroblob(20000) WHERE id = 2",
    "UPDATE controller SET session = zeroblob(20000)", "UPDATE event SET t = zeroblob(20000)",
  ])
  func `a row with much in it where no history has it is refused`(_ sql: String) throws {
    // Else SQLite would not take it.
    let words = sql.split(separator: " ")
    try history.tamper(
      """
      PRAGMA writable_schema = 1;
      UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = '\(words[1])'
      """)
    try history.tamper(sql)
    try history.tamper(
      """
      PRAGMA writable_schema = 1;
      UPDATE sqlite_schema SET sql = sql || 'STRICT' WHERE name = '\(words[1])'
      """)
    try expectFault()
  }

  @Test(arguments: ["event", "name", "sqlite_autoindex_session_2", "controller_session"])
  func `a page on which a row is more than once, or two lie over one another, is refused`(
    _ name: String
  ) throws {
    let root = try root(of: name)
    try change { pages in
      let page = pages[root]
      let pointers = page[8..<8 + 2 * page.short(at: 3)]
      pages[root].replaceSubrange(3..<5, with: FilePages.short(2 * page.short(at: 3)))
      pages[root].replaceSubrange(8..<8 + 2 * pointers.count, with: pointers + pointers)
    }
    try expectFault()
  }

  @Test(
    arguments: [
      // (1, 1), (1, 1); two with one row; one without its row; one too few.
      [[3, 9, 9], [3, 9, 9]], [[3, 9, 9], [3, 1, 9, 5]], [[3, 9, 1, 7]], [],
    ] as [[[UInt8]]])
  func `an index that does not lead to each row once is refused`(_ entries: [[UInt8]]) throws {
    let root = try root(of: "sqlite_autoindex_session_2")
    #expect(refusal() == nil)
    try change { $0[root] = FilePages.leaf($0[root], entries.map { [UInt8($0.count)] + $0 }) }
    try expectFault()
  }

  @Test func `a reader without the page check has no row more than once, either`() throws {
    for (name, cell) in [
      ("sqlite_autoindex_session_2", [3, 3, 9, 9] as [UInt8]),
      ("controller_session", [3, 3, 9, 9]),
      ("anchor", [7, 4, 1, 1, 1, 1, 5, 5]), ("loss", [7, 8, 5, 0, 1, 9, 15, 8, 120]),
    ] {
      let root = try root(of: name)
      try change { $0[root] = FilePages.leaf($0[root], [cell, cell]) }
    }
    let reader = try HistoryReader(path: history.path)
    #expect(try reader.sessions().map(\.id) == [1])
    #expect(throws: HistoryError.damaged("the controllers of session 1 are in no order")) {
      try reader.controllers(session: 1)
    }
    #expect(throws: HistoryError.damaged("the losses of session 1 are in no order")) {
      try reader.losses(session: 1)
    }
    #expect(
      throws: HistoryError.damaged("the readings of the clock in session 1 are in no order")
    ) { try reader.anchors(session: 1) }
  }

  @Test(arguments: ["event", "sqlite_autoindex_name_1"])
  func `a tree in no order is refused: SQLite would find all for each`(_ name: String) throws {
    let root = try root(of: name)
    try change { pages in
      let page = pages[root]
      pages[root].replaceSubrange(8..<12, with: page[10..<12] + page[8..<10])
    }
    try expectFault()
  }

  @Test func `so is one in which a page has other numbers than what leads to it says`() throws {
    let root = try root(of: "event")
    try change { pages in
      let last = pages.count + 1
      pages[last] = pages[root]
      pages[last + 1] = FilePages.leaf(pages[root], [])
      // All of its numbers are beyond the 1 that is said.
      var inner = FilePages.inner(leadingTo: last, times: 2)
      inner.replaceSubrange(8..<12, with: FilePages.number(last + 1))
      pages[root] = inner
    }
    try expectFault()
  }

  @Test(arguments: [
    ("controller_session", "session"), ("controller_name", "session"),
    ("sqlite_autoindex_session_2", "first_seq"), ("finding_session", "seq"),
  ])
  func `a key with much in it where an index has numbers is refused`(
    _ index: String, _ column: String
  ) throws {
    let table = index.contains("session_2") ? "session" : index.split(separator: "_")[0]
    try history.tamper(
      """
      PRAGMA foreign_keys = 0; PRAGMA ignore_check_constraints = 1; PRAGMA writable_schema = 1;
      INSERT INTO finding VALUES (1, 1, 1, 'c', 'error', 1, 1, 1, '', 1);
      UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = '\(table)'
      """)
    try history.tamper("UPDATE \(table) SET \(column) = zeroblob(1000000)")
    // The row goes on on other pages, too, and is looked at first.
    try change { pages in
      for page in 3...pages.count {
        guard let tree = TreePage(pages[page]), tree.kind == .table,
          tree.cells.contains(where: { $0.length > 1_000_000 })
        else { continue }
        pages[page] = FilePages.leaf(pages[page], [])
      }
    }
    #expect(refusal() != nil)
  }

  @Test func `the longest name there is may be in an index`() throws {
    try history.tamper(
      """
      INSERT INTO name(id, text) VALUES (900, hex(zeroblob(\(HistoryFile.longestStoredName / 2))));
      INSERT INTO site(id, file, line)
      VALUES (900, hex(zeroblob(\(HistoryFile.longestStoredName / 2))), 9223372036854775807)
      """)
    #expect(refusal() == nil)
    try history.tamper("UPDATE site SET file = file || hex(zeroblob(60))")
    #expect("\(try #require(refusal()))".hasSuffix("bytes, and a name has 65536 at most"))
  }

  @Test func `what a file says of the memory for its pages is not heeded`() throws {
    let reader = try HistoryReader(receivedAt: history.path)
    #expect(try reader.connection.integerPragma("cache_size") == -2000)
    try history.tamper("PRAGMA default_cache_size = 1000000000")
    let other = try HistoryReader(receivedAt: history.path)
    #expect(try other.connection.integerPragma("cache_size") == -2000)
  }

  @Test func `a schema that is longer than any is refused before SQLite sees it`() throws {
    try history.tamper(
      """
      PRAGMA writable_schema = 1;
      UPDATE sqlite_schema SET sql = sql || '--' || hex(zeroblob(600000)) WHERE name = 'event'
      """)
    #expect(refusal() == .damaged("its schema has more than 1048576 bytes"))
  }

  @Test func `a root that is written as text counts as the number that it says`() throws {
    let root = try root(of: "event")
    try history.tamper(
      """
      PRAGMA writable_schema = 1;
      UPDATE sqlite_schema SET rootpage = CAST('\(root)' AS BLOB) WHERE name = 'event'
      """)
    // It is the number that it says.
    #expect(refusal() == nil)
  }

  @Test func `a log that tells of four thousand million pages is refused`() throws {
    let log = FrameLog(pages: [(1, try FilePages(history.path)[1])], size: .max)
    try Data(log.bytes).write(to: URL(fileURLWithPath: history.path + "-wal"))
    #expect("\(try #require(refusal()))".contains("its log tells of 4294967295 pages, and "))
    // Without its log, the file is sound.
    #expect(refusal(hasLog: false) == nil)
  }

  @Test func `a log with one page of a number near the largest takes no more memory for it`() throws
  {
    let log = FrameLog(pages: [(0x7fff_fff0, try FilePages(history.path)[1])], size: 0x7fff_fff0)
    try Data(log.bytes).write(to: URL(fileURLWithPath: history.path + "-wal"))
    #expect(try PageSource(history.path).count < 10_000)
    #expect("\(try #require(refusal()))".contains("its log tells of 2147483632 pages, and "))
  }

  @Test func `what is in the log counts as what is in the file`() throws {
    let (root, count) = (try root(of: "event"), try FilePages(history.path).count)
    let log = FrameLog(
      pages: [
        (count + 1, try FilePages(history.path)[root]),
        (root, FilePages.inner(leadingTo: count + 1, times: 3)),
      ], size: UInt32(count + 1))
    try Data(log.bytes).write(to: URL(fileURLWithPath: history.path + "-wal"))
    #expect(refusal() == .damaged("more than one leads to its page \(count + 1)"))
  }

  @Test func `a log of pages of another size is refused`() throws {
    let log = FrameLog(pages: [], size: 1, pageSize: 512)
    try Data(log.bytes).write(to: URL(fileURLWithPath: history.path + "-wal"))
    #expect(
      refusal() == .damaged("its pages have 512 bytes, and those of a history 4096"))
  }
}

/// The pages of a file, counted from 1.
private struct FilePages {
  private var pages: [[UInt8]]

  init(_ path: String) throws {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    pages = stride(from: 0, to: bytes.count, by: 4_096).map { Array(bytes[$0..<$0 + 4_096]) }
  }

  var count: Int { pages.count }

  subscript(number: Int) -> [UInt8] {
    get { pages[number - 1] }
    set {
      while pages.count < number { pages.append([UInt8](repeating: 0, count: 4_096)) }
      pages[number - 1] = newValue
    }
  }

  /// Writes them, and into the header how many they are.
  func write(_ path: String) throws {
    var bytes = pages.flatMap(\.self)
    bytes.replaceSubrange(28..<32, with: Self.number(count))
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// An inner page of a table with equal cells, which all lead to the same page.
  static func inner(leadingTo page: Int, times: Int = 600) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let cell = 4_090
    bytes.replaceSubrange(
      0..<12, with: [5, 0, 0] + short(times - 1) + short(cell) + [0] + number(page))
    for index in 0..<times - 1 {
      bytes.replaceSubrange(12 + 2 * index..<14 + 2 * index, with: short(cell))
    }
    bytes.replaceSubrange(cell..<cell + 5, with: number(page) + [1])
    return bytes
  }

  static func number(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Array($0) }
  }

  /// A leaf like another with these cells.
  static func leaf(_ other: [UInt8], _ cells: [[UInt8]]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    var place = 4_096
    for (index, cell) in cells.enumerated() {
      place -= max(4, cell.count)
      bytes.replaceSubrange(place..<place + cell.count, with: cell)
      bytes.replaceSubrange(8 + 2 * index..<10 + 2 * index, with: short(place))
    }
    bytes.replaceSubrange(0..<8, with: [other[0], 0, 0] + short(cells.count) + short(place) + [0])
    return bytes
  }

  static func short(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }
}

/// A log of one commit, with right checksums.
private struct FrameLog {
  private(set) var bytes: [UInt8] = []
  private var sums: (UInt32, UInt32) = (0, 0)

  /// - Parameter size: how many pages the commit says that there are.
  init(pages: [(number: Int, bytes: [UInt8])], size: UInt32, pageSize: Int = 4_096) {
    let salts: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    // The sums of this one read words with the largest byte first.
    bytes = FilePages.number(0x377f_0683) + FilePages.number(3_007_000) + FilePages.number(pageSize)
    bytes += FilePages.number(0) + salts
    add(bytes)
    bytes += sumBytes
    for (index, page) in pages.enumerated() {
      let head =
        FilePages.number(page.number)
        + FilePages.number(index == pages.count - 1 ? Int(size) : 0)
      add(head)
      add(page.bytes)
      bytes += head + salts + sumBytes + page.bytes
    }
  }

  private var sumBytes: [UInt8] { FilePages.number(Int(sums.0)) + FilePages.number(Int(sums.1)) }

  private mutating func add(_ bytes: [UInt8]) {
    for place in stride(from: 0, to: bytes.count, by: 8) {
      sums.0 &+= bytes.number(at: place) &+ sums.1
      sums.1 &+= bytes.number(at: place + 4) &+ sums.0
    }
  }
}
