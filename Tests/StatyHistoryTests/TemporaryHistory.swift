import Foundation
import StatyHistory
import StatyReading
import StatySQLite
import Testing

/// A place for a history that goes when the test does.
final class TemporaryHistory {
  let directory: String
  var path: String { directory + "/history.sqlite" }

  init() throws {
    var template = Array((NSTemporaryDirectory() + "/staty-XXXXXX").utf8CString)
    let made = try #require(mkdtemp(&template))
    directory = URL(fileURLWithPath: String(cString: made)).resolvingSymlinksInPath().path
  }

  /// A copy of what was written elsewhere.
  convenience init(_ bytes: Data) throws {
    try self.init()
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  deinit {
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Writes with a new writer, which is closed then.
  func write(_ body: (HistoryWriter) throws -> Void) throws {
    let writer = try HistoryWriter(path: path)
    try body(writer)
    try writer.close()
  }

  /// Runs SQL that no recorder would.
  /// - Returns: how many rows the last statement changed.
  @discardableResult
  func tamper(_ sql: String) throws -> Int {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(sql)
    defer { try? connection.close() }
    return connection.changes
  }

  func damage(session: Int64 = 1) throws -> ChainDamage? {
    try ChainVerifier(HistoryReader(path: path)).firstDamage(session: session)
  }

  func rows(session: Int64 = 1) throws -> [EventRow] {
    let events = try HistoryReader(path: path).events(session: session)
    var rows: [EventRow] = []
    while let row = try events.next() { rows.append(row) }
    return rows
  }

  func details(session: Int64 = 1) throws -> [EventDetail] {
    let cursor = try HistoryReader(path: path).details(session: session)
    var details: [EventDetail] = []
    while let detail = try cursor.next() { details.append(detail) }
    return details
  }

  /// The rows of a query, columns joined by `|` as `sqlite3` does; null is empty.
  func query(_ sql: String) throws -> [String] {
    let connection = try Connection(path: path, mode: .readOnly)
    try connection.configureForReading()
    let statement = try connection.prepare(sql)
    var lines: [String] = []
    while try statement.step() {
      let cells = try (0..<statement.columnCount).map { try statement.string(at: $0) ?? "" }
      lines.append(cells.joined(separator: "|"))
    }
    return lines
  }
}

extension SessionOpening {
  static func test(_ uuid: String = "u1", wallTime: Int64 = 1_700_000_000_000_000) -> Self {
    SessionOpening(
      uuid: uuid, app: "Shop", appVersion: "1.2", os: "Linux 6", pid: 42, wallTime: wallTime)
  }
}

extension HistoryWriter {
  @discardableResult
  func append(
    _ rows: [EventRow], details: [EventDetail] = [], to session: Int64 = 1, observed: Int64? = nil
  ) throws -> Int {
    try rows.withUnsafeBufferPointer {
      try append($0, details: details, to: session, observed: observed)
    }
  }

  /// The highest number of a stored event; 0 if there is none.
  func highestSeq() throws -> Int64 {
    let rows = try connection.prepare("SELECT max(seq) FROM event")
    _ = try rows.step()
    return rows.int64(at: 0)
  }
}
