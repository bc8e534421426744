import StatyHistory
import StatyReading
package import StatySQLite

/// Reads the rows of views and holds them against what was computed without them.
package enum ViewRows {
  /// The views that sum up and compare.
  package static let views = ["dwell", "waits", "transitions", "slowest", "stuck"]

  /// The rows of a query, their cells joined by `|`; null is `-`, and a number has all its digits.
  package static func rows(_ sql: String, in connection: Connection) throws -> [String] {
    let statement = try connection.prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      let cells = try (0..<statement.columnCount).map { column in
        switch statement.kind(at: column) {
        case .real: "\(statement.double(at: column))"
        case .integer: "\(statement.int64(at: column))"
        case .null: "-"
        case .text, .blob: try statement.string(at: column) ?? ""
        }
      }
      rows.append(cells.joined(separator: "|"))
    }
    return rows
  }

  /// The first row that a view of the file at `path` has and should not have, or the other way
  /// around; none if all is as it was computed.
  package static func firstDifference(at path: String) throws -> String? {
    let plain = try PlainStatistics(HistoryReader(path: path))
    let connection = try Connection(path: path, mode: .readOnly)
    try connection.configureForReading()
    for view in views {
      let whole = try rows("SELECT * FROM \(view)", in: connection)
      if let difference = difference(whole, plain.rows[view] ?? []) {
        return "\(view): \(difference)"
      }
      var bySession: [String] = []
      for session in try rows("SELECT session FROM sessions", in: connection) {
        bySession += try rows("SELECT * FROM \(view) WHERE session = \(session)", in: connection)
      }
      if let difference = difference(bySession, whole) {
        return "\(view), one session at a time: \(difference)"
      }
    }
    return try firstFalseSum(in: connection)
  }

  private static func difference(_ found: [String], _ computed: [String]) -> String? {
    if found.sorted() == computed.sorted() { return nil }
    let (has, should) = (Set(found), Set(computed))
    if let row = has.subtracting(should).min() {
      return "has \(row), computed were \(should.subtracting(has).sorted().prefix(3))"
    }
    if let row = should.subtracting(has).min() { return "lacks \(row)" }
    return "has \(found.count) rows where \(computed.count) were computed"
  }

  private static func firstFalseSum(in connection: Connection) throws -> String? {
    let wrong = try rows(
      """
      SELECT * FROM slowest
      WHERE round(1000 * (total_ms - behind_ms - exit_ms - gap_ms - enter_ms)) <> 0
        OR min(behind_ms, exit_ms, gap_ms, enter_ms) < 0
      """, in: connection)
    return wrong.first.map { "slowest: the parts of \($0) are not its sum" }
  }
}
