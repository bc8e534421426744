import CSQLite
import Staty
import StatyHistory
import Testing

@testable import StatySQLite

/// The rows of visits in a session with many losses.
@Suite struct ManyLossesTests {
  private static let visits = 2_500

  /// A session in which the number after each visit is lost, written in steps of so many visits.
  private func session(
    step: Int, _ change: (HistoryWriter) -> Void = { _ in }
  ) throws -> TemporaryHistory {
    let history = try TemporaryHistory()
    try history.write { writer in
      let session = try writer.beginSession(.test())
      let controller = try writer.addController(session: session, name: "screen", policy: "queue")
      let name = try writer.intern(name: "loading")
      var seq: Int64 = 1
      try writer.append([EventRow(seq: 1, time: 0, kind: .attached, controller: controller)])
      for first in stride(from: 1, through: Self.visits, by: step) {
        let begin = seq + 1
        var rows: [EventRow] = []
        for visit in first..<(first + step) {
          for kind in [EventKind.enqueued, .entering, .entered, .exiting, .exited] {
            seq += 1
            rows.append(
              EventRow(
                seq: seq, time: seq * 10, kind: kind, controller: controller,
                visit: UInt32(visit), state: name))
          }
          seq += 1
        }
        try writer.append(rows)
        try writer.recordMissing(from: begin, through: seq) { _ in "overload" }
      }
      change(writer)
      try writer.endSession(session, .killed)
    }
    return history
  }

  private func visits(in history: TemporaryHistory) throws -> [String] {
    let rows = try history.query("SELECT * FROM visit ORDER BY seq")
    return try rows + history.query("SELECT followed FROM session")
  }

  @Test func `they are the same, whether the losses are followed one by one or all at once`() throws
  {
    let oneByOne = try visits(in: session(step: 1))
    #expect(oneByOne.count > 1)
    #expect(try visits(in: session(step: Self.visits)) == oneByOne)
    #expect(try visits(in: session(step: 500) { $0.unfollow(1) }) == oneByOne)
  }

  @Test func `to follow a loss costs the same, however many were before it`() throws {
    let history = try TemporaryHistory()
    try history.write { writer in
      _ = try writer.beginSession(.test())
      var seq: Int64 = 0
      /// SQLite's instructions for this many losses.
      func cost(of count: Int) throws -> Int {
        let before = instructions(of: writer)
        for _ in 0..<count {
          seq += 2
          try writer.append([EventRow(seq: seq, time: seq, kind: .mark)])
          try writer.recordMissing(from: seq - 1, through: seq) { _ in "overload" }
        }
        return instructions(of: writer) - before
      }
      _ = try cost(of: 100)
      let few = try cost(of: 100)
      _ = try cost(of: 5_000)
      #expect(try cost(of: 100) < 2 * few)
    }
  }

  /// SQLite's own instructions so far.
  private func instructions(of writer: HistoryWriter) -> Int {
    var sum = 0
    var statement = sqlite3_next_stmt(writer.connection.handle, nil)
    while let one = statement {
      sum += Int(sqlite3_stmt_status(one, SQLITE_STMTSTATUS_VM_STEP, 0))
      statement = sqlite3_next_stmt(writer.connection.handle, one)
    }
    return sum
  }
}
