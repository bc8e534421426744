import Foundation
import StatySQLite

@testable import StatyHistory

/// Pages that belong to several, so that there is far more in a file than it has bytes.
enum HostilePages {
  private static let size = 4_096

  /// Puts three pages between each table's first and what is on it, of which each leads 600 times to the
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

  /// Adds 500 payloads of a megabyte, all of which go on on the pages of the first.
  static func shareValues(_ path: String) throws {
    // As much of both stands in the page of the row, and their lengths are written in as many bytes.
    let (long, short) = (489 + 4_092 * 256, 489 + 4_092 * 4)
    let head = 14
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
        let place = start + cell.place
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

  static func number(_ value: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { Array($0) }
  }

  /// A number of three bytes, as SQLite writes it.
  private static func varint(_ value: Int) -> [UInt8] {
    [0x80 | UInt8(value >> 14 & 127), 0x80 | UInt8(value >> 7 & 127), UInt8(value & 127)]
  }

  /// An inner page of a table, all of whose cells are one.
  private static func inner(leadingTo page: Int, times: Int = 600) -> [UInt8] {
    let cells = times - 1
    var bytes: [UInt8] =
      [5, 0, 0, UInt8(cells >> 8), UInt8(cells & 255), 0x0f, 0xf0, 0] + number(page)
    for _ in 0..<cells { bytes += [0x0f, 0xf0] }
    bytes += [UInt8](repeating: 0, count: 4_080 - bytes.count)
    return bytes + number(page) + [UInt8](repeating: 1, count: 12)
  }
}
