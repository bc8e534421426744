import CSQLite
import Foundation
import Staty
import StatyHistory
import StatyReading
import Testing

@testable import StatySQLite

/// What one session costs through a view does not grow with the file that it is in.
///
/// Counted are SQLite's own instructions, never time.
@Suite struct ViewCostTests {
  @Test func `one session of a thousand costs what one of ten does, through every view`() throws {
    let (small, large) = (try Self.file(sessions: 10), try Self.file(sessions: 1_000))
    for view in HistoryViews.names {
      for session in [3, 10, 700] {
        let few = try cost(view, min(session, 10), in: small)
        let many = try cost(view, session, in: large)
        #expect(many.rows == few.rows)
        #expect(few.rows > 0, "\(view) has no row to count by")
        #expect(many.instructions <= Self.most(few.instructions), "\(view), session \(session)")
        let bound = try cost(view, session, in: large, isBound: true)
        #expect(bound.instructions <= Self.most(few.instructions), "\(view), by a parameter")
      }
    }
  }

  @Test func `what waits in a snapshot costs as much for each, however many there are`() throws {
    let (few, many) = (try Self.waiting(40), try Self.waiting(400))
    for view in ["dwell", "waits", "transitions", "slowest", "stuck", "visits"] {
      let small = try cost(view, 1, in: few).instructions
      #expect(try cost(view, 1, in: many).instructions <= 11 * small, "\(view)")
    }
  }

  /// A controller with a snapshot of so many requests, which all enter and exit.
  private static func waiting(_ count: UInt32) throws -> TemporaryHistory {
    let history = try TemporaryHistory()
    try history.tell { tale in
      try tale.controller { snapshot in
        snapshot.waiting = (1...count).map { .init(visit: $0, state: "a") }
      }
      for visit in 1...count {
        for kind in [EventKind.entering, .entered, .exiting, .exited] {
          tale.add(Int64(visit) * 10, kind, visit, "a")
        }
      }
      tale.add(Int64(count) * 10 + 5, .enqueued, count + 1, "a")
      try tale.end(at: Int64(count) * 10 + 10)
    }
    return history
  }

  /// A few more where a search in a larger tree ends elsewhere.
  private static func most(_ instructions: Int) -> Int { instructions + instructions / 20 + 50 }

  private func cost(
    _ view: String, _ session: Int, in history: TemporaryHistory, isBound: Bool = false
  ) throws -> (rows: Int, instructions: Int) {
    let connection = try Connection(path: history.path, mode: .readOnly)
    try connection.configureForReading()
    let statement = try connection.prepare(
      "SELECT * FROM \(view) WHERE session = \(isBound ? "?1" : "\(session)")")
    if isBound { try statement.bind(Int64(session), at: 1) }
    var rows = 0
    while try statement.step() { rows += 1 }
    return (rows, Int(sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_VM_STEP, 0)))
  }

  /// Sessions that are all alike and have something for every view, gaps and late attachment too.
  private static func file(sessions: Int) throws -> TemporaryHistory {
    let history = try TemporaryHistory()
    try history.write { writer in
      var seq: Int64 = 0
      for number in 0..<sessions {
        let tale = try Tale(writer, "s\(number)", from: seq + 1)
        try tale.controller { snapshot in
          snapshot.stand(1, "a", .entered)
          snapshot.declare("a", "b")
        }
        try tale.controller("sheet") { $0.waiting = [.init(visit: 1, state: "a")] }
        tale.add(10, .exiting, 1, "a")
        tale.add(20, .exited, 1, "a")
        tale.visit(2, "b", asked: 20, told: 20, entered: 30)
        tale.lose(2)
        tale.visit(3, "a", asked: 40, told: 50, entered: 60, dismissed: 70, out: 80)
        tale.lose()
        tale.visit(4, "b", asked: 80, told: 81, entered: 85, out: 90)
        tale.visit(5, "a", asked: 90, told: 91, entered: 95)
        tale.add(100, .enqueued, 6, "b")
        try tale.end(at: 200, .killed)
        seq = tale.seq
      }
    }
    try history.tamper(
      """
      INSERT INTO finding(session, seq, code, severity, controller, visit, state, detail, is_final)
      SELECT id, first_seq, 'overlap', 'error', 1, 1, 1, 'two at once', 1 FROM session
      """)
    return history
  }
}
