import Foundation
import Staty
import StatyHistory
import StatyReading
import StatySQLite

/// A directory for one test, and the path of a history in it.
final class Place {
  let directory: String
  let path: String

  init(named name: String = "history.sqlite") throws {
    directory = NSTemporaryDirectory() + "staty-" + UUID().uuidString
    path = directory + "/" + name
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// For each session, the number of observed events that are neither stored nor lost, according to the file.
  func unaccounted() throws -> [String] {
    try query(
      """
      SELECT s.observed - v.events
        - (SELECT coalesce(sum(l.count), 0) FROM losses l WHERE l.session = s.id)
      FROM session s JOIN sessions v ON v.session = s.id ORDER BY s.id
      """)
  }

  /// Runs the body while another connection has locked the file for writing.
  func whileLocked(_ body: () throws -> Void) throws {
    let other = try Connection(path: path, mode: .readWrite)
    // The recorder may be writing findings.
    other.setBusyTimeout(milliseconds: 5_000)
    try other.execute("BEGIN IMMEDIATE")
    try body()
    try other.execute("COMMIT")
    try other.close()
  }

  /// Changes the closed file.
  func change(_ sql: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(sql)
    try connection.close()
  }

  /// The first damage that the checksum chain shows in the first session.
  func firstDamage(session: Int64 = 1) throws -> ChainDamage? {
    try ChainVerifier(HistoryReader(path: path)).firstDamage(session: session)
  }

  /// The rings of the current recorder and of earlier ones.
  func rings() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory)
      .filter { $0.contains("-ring") }.sorted()
  }

  /// The rows of a query, each with `|` between its columns.
  func query(_ sql: String) throws -> [String] {
    let connection = try Connection(path: path, mode: .readOnly)
    defer { try? connection.close() }
    let rows = try connection.prepare(sql)
    var lines: [String] = []
    while try rows.step() {
      let columns = try (0..<rows.columnCount).map { try rows.string(at: $0) ?? "" }
      lines.append(columns.joined(separator: "|"))
    }
    return lines
  }
}

final class Page {}

/// Enters and exits at once.
final class Instant: ScreenState {
  let name: StateName
  let payload: StatePayload?
  private let whileEntering: () -> Void

  init(_ name: StateName, payload: StatePayload? = nil, whileEntering: @escaping () -> Void = {}) {
    self.name = name
    self.payload = payload
    self.whileEntering = whileEntering
  }

  func enter(on target: Page, visit: Visit) {
    whileEntering()
    visit.entered()
  }

  func exit(from target: Page, visit: Visit) {
    visit.exited()
  }
}

/// Enters at once, and never exits.
final class Patient: ScreenState {
  let name: StateName

  init(_ name: StateName) {
    self.name = name
  }

  func enter(on target: Page, visit: Visit) {
    visit.entered()
  }

  func exit(from target: Page, visit: Visit) {}
}
