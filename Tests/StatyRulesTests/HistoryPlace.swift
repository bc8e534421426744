import Foundation
import Staty
import StatySQLite

@testable import StatyHistory
@testable import StatyRules

/// A folder for a history.
///
/// It is removed at the end of the test.
final class HistoryPlace {
  private let directory: URL
  var path: String { directory.appendingPathComponent("history.sqlite").path }

  init() throws {
    directory = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("staty-rules-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  /// Writes with a new writer and closes it.
  func write(_ body: (HistoryWriter) throws -> Void) throws {
    let writer = try HistoryWriter(path: path)
    try body(writer)
    try writer.close()
  }

  /// Runs SQL that no recorder would run.
  func tamper(_ sql: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(sql)
    try connection.close()
  }

  /// The rows of a query, columns joined by `|`; null is empty.
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

extension HistoryWriter {
  func begin(_ name: String, names: [String]) throws -> Int64 {
    for name in names { _ = try intern(name: name) }
    return try beginSession(
      SessionOpening(
        uuid: name, app: "Shop", appVersion: "1", os: "Linux", pid: 1, wallTime: 1_700_000_000))
  }

  func append(
    _ rows: [EventRow], details: [EventDetail] = [], to session: Int64
  ) throws {
    _ = try rows.withUnsafeBufferPointer { try append($0, details: details, to: session) }
  }
}

extension [EventRow] {
  /// The same rows as events of another controller.
  func on(_ controller: Int32) -> [EventRow] {
    map { row in
      var row = row
      row.controller = controller
      return row
    }
  }
}

extension RecordedHistory {
  /// A session in a file, with the rows that a test still has to append.
  struct Prepared {
    let session: Int64
    let rows: [EventRow]
    let details: [EventDetail]

    func append(_ rows: [EventRow], _ writer: HistoryWriter) throws {
      let numbers = Set(rows.map(\.seq))
      try writer.append(rows, details: details.filter { numbers.contains($0.seq) }, to: session)
    }
  }

  /// Writes the history as a session.
  func store(_ writer: HistoryWriter, _ name: String) throws {
    let prepared = try prepare(writer, name)
    try prepared.append(prepared.rows, writer)
    try writer.endSession(prepared.session, .clean)
  }

  /// Begins a session for the history and returns its rows with the file's numbers.
  func prepare(_ writer: HistoryWriter, _ name: String) throws -> Prepared {
    let session = try writer.begin(name, names: [])
    let base = try writer.sessions().first { $0.id == session }!.firstSeq - 1
    let controller = try writer.addController(
      session: session, name: "checkout", policy: "mine",
      discipline: opening.discipline.rawValue, snapshot: opening.snapshot.text)
    let numbers = try names.mapValues { try writer.intern(name: $0) }
    var rows = rows
    if let last = rows.last {
      rows.append(EventRow(seq: last.seq + 1, time: last.time + rest, kind: .mark))
    }
    rows = rows.map { row in
      var row = row
      row.controller = row.controller == 0 ? 0 : controller
      row.seq += base
      row.renameCauses { $0 + base }
      row.state = numbers[row.state] ?? 0
      return row
    }
    let details = details.values.map { detail in
      var detail = detail
      detail.seq += base
      return detail
    }
    return Prepared(session: session, rows: rows, details: details)
  }
}

extension ControllerOpening {
  /// The opening as a recorder writes it.
  var snapshot: SnapshotRecord {
    var snapshot = SnapshotRecord()
    snapshot.isWithholding = isWithholding
    snapshot.isTornDown = isTornDown
    snapshot.lastVisit = lastVisit
    snapshot.routes = routes
    return snapshot
  }
}
