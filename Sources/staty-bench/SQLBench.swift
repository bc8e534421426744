import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRules
import StatySQLite

/// The cost of reading a whole view, and one session of it, compared with a scan.
enum SQLBench {
  private static let sessions = 100
  private static let perSession = 10_010
  /// The number of events that are missing in the middle of each session.
  private static let lost = 6

  static func run() -> [Figure] {
    write()
    defer { remove() }
    let scan = seconds { read("SELECT * FROM event") }
    let whole = HistoryViews.names.map { view in
      (view: view, time: seconds { read("SELECT * FROM \(view)") })
    }
    let one = HistoryViews.names.map { view in
      (view: view, time: median(of: 5) { seconds { readSessions(view) } / Double(chosen.count) })
    }
    // `history` makes every event readable and has a figure of its own.
    let slowest = whole.filter { $0.view != "history" }.max { $0.time < $1.time }!
    let slowestOne = one.filter { $0.view != "history" }.max { $0.time < $1.time }!
    return [
      Figure(
        "sql_slowest_view_s", slowest.time,
        "\(slowest.view), the slowest view, over 1 M events in 100 sessions"),
      Figure(
        "sql_session_ms", slowestOne.time * 1_000,
        "\(slowestOne.view), the slowest view of one session of them"),
    ]
      + whole.map { Figure("sql_\($0.view)_s", $0.time, "every row of \($0.view)") }
      + one.map {
        Figure("sql_\($0.view)_session_ms", $0.time * 1_000, "\($0.view) of one session")
      }
      + [
        Figure("sql_scan_s", scan, "baseline: stepping over the events, reading every column")
      ]
  }

  /// Sessions near the beginning, in the middle and at the end.
  private static let chosen = [2, 50, 99]

  private static func readSessions(_ view: String) {
    for session in chosen { read("SELECT * FROM \(view) WHERE session = \(session)") }
  }

  /// Reads every column of all rows with its type, on a separate connection.
  private static func read(_ sql: String) {
    let connection = try! Connection(path: path, mode: .readOnly)
    try! connection.configureForReading()
    let rows = try! connection.prepare(sql)
    var sum: Int64 = 0
    while try! rows.step() {
      for column in 0..<rows.columnCount {
        switch rows.kind(at: column) {
        case .integer: sum &+= rows.int64(at: column)
        case .real: sum &+= Int64(rows.double(at: column))
        case .text: try! rows.withText(at: column) { sum &+= Int64($0?.count ?? 0) }
        case .blob, .null: break
        }
      }
    }
    precondition(sum > 0, "\(sql) gave nothing; the run is void.")
  }

  private static var path: String { BenchFolder.path("sql.sqlite") }

  private static func remove() { BenchFolder.removeHistory(at: path) }
}

// MARK: The history

extension SQLBench {
  private static let controllers = ["checkout", "sheet", "main", "settings"]
  private static let states = ["loading", "content", "alert", "empty", "error"]

  /// Sessions with four controllers each.
  ///
  /// Some requests are discarded, some events are lost, some rules are broken, and some transitions
  /// are in progress at the end.
  private static func write() {
    remove()
    let writer = try! HistoryWriter(path: path)
    writer.judge()
    for state in states { _ = try! writer.intern(name: state) }
    for number in 0..<sessions { try! writeSession(writer, number) }
    try! writer.close()
  }

  private static func writeSession(_ writer: HistoryWriter, _ number: Int) throws {
    var opening = SessionOpening(
      uuid: "b\(number)", app: "bench", appVersion: "1", os: "any", pid: 1,
      wallTime: 1_700_000_000_000_000 + Int64(number) * 3_600_000_000)
    let first = Int64(number) * Int64(perSession + lost) + 1
    opening.firstSeq = first
    let session = try writer.beginSession(opening)
    var course = Course(first: first)
    course.controllers = try controllers.map {
      try writer.addController(
        session: session, name: $0, policy: "queue", snapshot: snapshot.text)
    }
    let rows = (0..<perSession).map { course.row($0) }
    for start in stride(from: 0, to: perSession, by: 4_096) {
      let batch = rows[start..<min(start + 4_096, perSession)]
      _ = try batch.withUnsafeBufferPointer { try writer.append($0, to: session) }
    }
    if writer.framesInLog > 4_000 { _ = try writer.checkpoint() }
    let gap = first + Int64(perSession / 2)
    try writer.recordLoss(
      first: gap, last: gap + Int64(lost) - 1, count: Int64(lost), reason: "overload")
    try writer.endSession(session, .clean)
  }

  /// Routes between all states, so that the table of routes has a realistic size.
  private static var snapshot: SnapshotRecord {
    var snapshot = SnapshotRecord()
    snapshot.states = states
    snapshot.routes = states.flatMap { from in
      states.map { to in
        var route = SnapshotRecord.Route(to: to)
        route.from = from
        return route
      }
    }
    return snapshot
  }

  private struct Course {
    let first: Int64
    var controllers: [Int32] = []

    /// Events of the controllers in turn.
    ///
    /// Each transition is a request, the exit of the visit before, and the enter of the new one.
    /// Each seventh request is discarded.
    func row(_ index: Int) -> EventRow {
      let (step, place) = (index / 4, index % 4)
      let visit = UInt32(step / 5 + 1)
      let kinds: [EventKind] = [.enqueued, .exiting, .exited, .entering, .entered]
      var kind = kinds[step % 5]
      var subject = step % 5 == 1 || step % 5 == 2 ? visit - 1 : visit
      if visit % 7 == 0, step % 5 > 0 { kind = step % 5 == 1 ? .discarded : .mark }
      if visit % 7 == 0, step % 5 == 1 { subject = visit }
      if visit % 7 == 1, visit > 7, step % 5 == 1 || step % 5 == 2 { subject = visit - 2 }
      if subject == 0 { kind = .mark }
      let isNote = kind == .mark
      let seq = first + Int64(index < perSession / 2 ? index : index + lost)
      return EventRow(
        seq: seq, time: Int64(index) * 1_000 + Int64(index * 7_919 % 997),
        kind: kind, reason: kind == .discarded ? EventReason.rejected.code : 0,
        controller: isNote ? 0 : controllers[place], visit: isNote ? 0 : subject,
        state: isNote ? 0 : Int32(Int(subject) * 31 % 5 + 1),
        cause: kind == .exiting || kind == .entering ? seq - 4 : 0)
    }
  }
}
