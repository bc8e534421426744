import Foundation
import StatySQLite

@testable import StatyReading

/// Pages that belong to several, so that there is far more in a file than it has bytes.
enum HostilePages {
  private static let size = 4_096

  /// Puts three pages between each table's first page and its content; each leads 600 times to the
  /// next.
  static func growTables(_ bytes: inout [UInt8]) {
    for page in 2...bytes.count / size where bytes[(page - 1) * size] == 13 {
      let last = bytes.count / size
      let place = (page - 1) * size
      let leaf = bytes[place..<place + size]
      for level in 1...3 { bytes += inner(leadingTo: last + level + 1) }
      bytes += leaf
      bytes.replaceSubrange(place..<place + size, with: inner(leadingTo: last + 1))
    }
    bytes.replaceSubrange(28..<32, with: number(bytes.count / size))
  }

  /// Makes the schema such a tree, with nothing on its leaves.
  static func growSchema(_ bytes: inout [UInt8]) {
    let last = bytes.count / size
    for level in 1...3 { bytes += inner(leadingTo: last + level + 1) }
    bytes += [13] + [UInt8](repeating: 0, count: size - 1)
    let first = inner(leadingTo: last + 1, times: 500)
    // Behind the file's header there is less room before the same cells.
    bytes.replaceSubrange(100..<size, with: first[..<3_900] + first[4_000...])
    bytes.replaceSubrange(28..<32, with: number(bytes.count / size))
  }

  /// Adds 500 payloads of a megabyte that all continue on the pages of the first.
  static func shareValues(_ path: String) throws {
    // As much of both stands in the page of the row, and their lengths are written in as many bytes.
    let (long, short) = (489 + 4_092 * 256, 489 + 4_092 * 4)
    let head = 16
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(
      """
      INSERT INTO detail(seq, payload) VALUES (1000, zeroblob(\(long - head)));
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO detail(seq, payload) SELECT 1000 + i, zeroblob(\(short - head)) FROM n
      """)
    try connection.close()
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    var rest: [UInt8]?
    var shared = 0
    for start in stride(from: size, to: bytes.count, by: size) {
      guard let page = TreePage(Array(bytes[start..<start + size])), page.kind == .table else {
        continue
      }
      for cell in page.cells {
        let end = start + cell.local.upperBound
        if cell.length == long { rest = Array(bytes[end..<end + 4]) }
        guard cell.length == short, let rest else { continue }
        // Behind its length, and a number of two bytes.
        let place = start + cell.local.lowerBound - 5
        bytes.replaceSubrange(place..<place + 3, with: varint(long))
        let type = start + cell.local.lowerBound + head - 3
        bytes.replaceSubrange(type..<type + 3, with: varint(2 * (long - head) + 12))
        bytes.replaceSubrange(end..<end + 4, with: rest)
        shared += 1
      }
    }
    precondition(shared == 500, "\(shared) payloads are one")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// The first page of a table or an index.
  private static func root(of name: String, in path: String) throws -> Int {
    let connection = try Connection(path: path, mode: .readOnly)
    let rows = try connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?1")
    try rows.bind(name, at: 1)
    let isThere = try rows.step()
    precondition(isThere, "there is no \(name)")
    return Int(rows.int64(at: 0))
  }

  /// Changes the first page of a table or an index.
  private static func change(
    _ name: String, in path: String, _ body: (inout [UInt8], Int) throws -> Void
  ) throws {
    let place = (try root(of: name, in: path) - 1) * size
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    try body(&bytes, place)
    bytes.replaceSubrange(28..<32, with: number(bytes.count / size))
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Makes the first thing on a page all that is on it, 600 times.
  static func repeatCell(of name: String, in path: String) throws {
    try change(name, in: path) { bytes, place in
      precondition(bytes[place] == 10 || bytes[place] == 13)
      let pointer = bytes[place + 8..<place + 10]
      bytes.replaceSubrange(place + 3..<place + 5, with: short(600))
      for index in 0..<600 {
        bytes.replaceSubrange(place + 8 + 2 * index..<place + 10 + 2 * index, with: pointer)
      }
    }
  }

  /// Makes an index of numbers lead 500 times to the first row, each time by another number.
  static func leadToOne(by name: String, in path: String) throws {
    try change(name, in: path) { bytes, place in
      let cells = (1...500).map { [5, 3, 2, 9] + short($0) }
      bytes.replaceSubrange(place..<place + size, with: leaf(cells))
    }
  }

  /// Makes the first page of an index one that has an entry of a thousand values 680 times, and below which
  /// is another such page, and so on.
  static func deepen(_ name: String, in path: String) throws {
    try change(name, in: path) { bytes, place in
      let content: [UInt8] = [0x87, 0x68] + [UInt8](repeating: 0, count: 998)
      func page(leadingTo child: Int) -> [UInt8] {
        var cells = number(0xffff_fff0) + [0x87, 0x68] + content
        let other = size - cells.count
        cells = number(child) + [0x87, 0x68] + content + cells
        let first = size - cells.count
        var page = [2, 0, 0] + short(681) + short(first) + [0] + number(0xffff_fff0) + short(first)
        for _ in 0..<680 { page += short(other) }
        return page + [UInt8](repeating: 0, count: first - page.count) + cells
      }
      let last = bytes.count / size
      for level in 1...40 { bytes += page(leadingTo: last + level + 1) }
      bytes.replaceSubrange(place..<place + size, with: page(leadingTo: last + 1))
    }
  }

  /// Puts what is on a page the other way round.
  static func turnRound(_ name: String, in path: String) throws {
    try change(name, in: path) { bytes, place in
      let count = Int(bytes[place + 3]) << 8 | Int(bytes[place + 4])
      let pointers = stride(from: place + 8, to: place + 8 + 2 * count, by: 2).map {
        Array(bytes[$0..<$0 + 2])
      }
      bytes.replaceSubrange(
        place + 8..<place + 8 + 2 * count, with: pointers.reversed().flatMap(\.self))
    }
  }

  /// Makes the one key of an index three megabytes long.
  static func lengthenKey(of name: String, in path: String) throws {
    try change(name, in: path) { bytes, place in
      let length = 3_000_000
      let type = 2 * length + 12
      let head =
        [6, 0x80 | UInt8(type >> 21), 0x80 | UInt8(type >> 14 & 127)]
        + [0x80 | UInt8(type >> 7 & 127), UInt8(type & 127), 9]
      let content = head + [UInt8](repeating: 0, count: length)
      let least = (size - 12) * 32 / 255 - 23
      let fitting = least + (content.count - least) % (size - 4)
      let local = fitting <= (size - 12) * 64 / 255 - 23 ? fitting : least
      var rest = content[local...]
      var pages: [ArraySlice<UInt8>] = []
      while !rest.isEmpty {
        pages.append(rest.prefix(size - 4))
        rest = rest.dropFirst(size - 4)
      }
      var numbers: [Int] = []
      var last = bytes.count / size
      for _ in pages {
        last += 1
        // Where the file has its maps.
        if (last - 2) % (size / 5 + 1) == 0 { last += 1 }
        numbers.append(last)
      }
      bytes += [UInt8](repeating: 0, count: last * size - bytes.count)
      for (index, page) in pages.enumerated() {
        let next = index + 1 < numbers.count ? numbers[index + 1] : 0
        let start = (numbers[index] - 1) * size
        bytes.replaceSubrange(start..<start + 4 + page.count, with: number(next) + page)
      }
      let length4 = content.count
      let said =
        [0x80 | UInt8(length4 >> 21), 0x80 | UInt8(length4 >> 14 & 127)]
        + [0x80 | UInt8(length4 >> 7 & 127), UInt8(length4 & 127)]
      let cell = said + content[..<local] + number(numbers[0])
      bytes.replaceSubrange(place..<place + size, with: leaf([cell]))
    }
  }

  /// Leaves a log with a flipped bit in its first frames.
  static func flipBitInLog(_ path: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0")
    for time in 1...5 { try connection.execute("UPDATE event SET t = t + \(time)") }
    let file = try Data(contentsOf: URL(fileURLWithPath: path))
    var log = Array(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")))
    try connection.close()
    log[32 + 4_120 + 2_000] ^= 1
    try file.write(to: URL(fileURLWithPath: path))
    try Data(log).write(to: URL(fileURLWithPath: path + "-wal"))
  }

  /// A leaf of an index with these cells.
  private static func leaf(_ cells: [[UInt8]]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size)
    var place = size
    for (index, cell) in cells.enumerated() {
      place -= cell.count
      bytes.replaceSubrange(place..<place + cell.count, with: cell)
      bytes.replaceSubrange(8 + 2 * index..<10 + 2 * index, with: short(place))
    }
    bytes.replaceSubrange(0..<8, with: [10, 0, 0] + short(cells.count) + short(place) + [0])
    return bytes
  }

  private static func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }

  static func number(_ value: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { Array($0) }
  }

  /// A number of three bytes, as SQLite writes it.
  private static func varint(_ value: Int) -> [UInt8] {
    [0x80 | UInt8(value >> 14 & 127), 0x80 | UInt8(value >> 7 & 127), UInt8(value & 127)]
  }

  /// An inner page of a table with equal cells.
  private static func inner(leadingTo page: Int, times: Int = 600) -> [UInt8] {
    let cells = times - 1
    var bytes: [UInt8] =
      [5, 0, 0, UInt8(cells >> 8), UInt8(cells & 255), 0x0f, 0xf0, 0] + number(page)
    for _ in 0..<cells { bytes += [0x0f, 0xf0] }
    bytes += [UInt8](repeating: 0, count: 4_080 - bytes.count)
    return bytes + number(page) + [UInt8](repeating: 1, count: 12)
  }
}
