import Staty
import StatySQLite
import Testing

@testable import StatyHistory

/// Views that look into snapshots say the same when they look once.
@Suite struct SnapshotViewTests {
  /// What a view says by itself.
  private func plain(_ view: String, _ reader: HistoryReader) throws -> [[ViewValue]] {
    let rows = try reader.connection.prepare("SELECT * FROM \(view)")
    var values: [[ViewValue]] = []
    while try rows.step() {
      var row: [ViewValue] = []
      for column in 0..<rows.columnCount {
        switch rows.kind(at: column) {
        case .integer: row.append(.integer(rows.int64(at: column)))
        case .real: row.append(.real(rows.double(at: column)))
        case .null: row.append(.nothing)
        case .text, .blob: row.append(.text(try rows.string(at: column) ?? ""))
        }
      }
      values.append(row)
    }
    return values
  }

  /// Two sessions with controllers that keep to routes and such that do not, of which some hold back.
  private func history() throws -> TemporaryHistory {
    let history = try TemporaryHistory()
    try history.write { writer in
      for (session, uuid) in ["u1", "u2"].enumerated() {
        let tale = try Tale(writer, uuid, from: Int64(session) * 1_000 + 1)
        try tale.controller { snapshot in
          var (begin, move, anywhere) = (
            SnapshotRecord.Route(to: "a"), SnapshotRecord.Route(to: "b"),
            SnapshotRecord.Route(to: "c")
          )
          begin.from = nil
          move.from = "a"
          anywhere.isAnywhere = true
          snapshot.routes = [begin, move, anywhere]
        }
        try tale.controller("free")
        try tale.controller("held") { $0.isWithholding = true }
        try tale.controller("bare") { $0.routes = [] }
        var time: Int64 = 10
        for (index, state) in ["a", "b", "c", "a", "c", "b", "a", "b"].enumerated() {
          for controller in [0, 1, 3] {
            tale.visit(
              UInt32(index + 1), state, asked: time, told: time + 1, entered: time + 2,
              dismissed: time + 3, out: time + 4, controller: controller)
          }
          tale.add(time, .enqueued, UInt32(index + 1), state, controller: 2)
          tale.add(time, .enqueued, UInt32(index + 100), state, controller: 1)
          time += 10
        }
        try tale.end(at: time)
      }
    }
    return history
  }

  @Test(arguments: ["transitions", "stuck"])
  func `they say what they say by themselves`(_ view: String) throws {
    let history = try history()
    let reader = try HistoryReader(receivedAt: history.path)
    let rows = try reader.rows(ViewQuery(view))
    #expect(try rows == plain(view, reader) && rows.count > 8)
    var query = ViewQuery(view)
    query.session = 2
    #expect(try reader.rows(query) == rows.filter { $0[0] == .integer(2) })
    // They are not asked what they were asked before.
    let source = try SnapshotViews.source(of: view, session: nil, in: reader.connection)
    #expect(source.rows != view && source.beginning.contains("MATERIALIZED"))
  }

  @Test func `moves are declared by where they begin, from anywhere, or not`() throws {
    let history = try history()
    let reader = try HistoryReader(receivedAt: history.path)
    let declared = try reader.rows(ViewQuery("transitions")).map { $0.last }
    for said in [.integer(0), .integer(1), .nothing] as [ViewValue] {
      #expect(declared.contains(said))
    }
  }

  @Test func `other views are asked as they are`() throws {
    let history = try history()
    let reader = try HistoryReader(receivedAt: history.path)
    let source = try SnapshotViews.source(of: "dwell", session: 1, in: reader.connection)
    #expect(source.rows == "dwell" && source.beginning.isEmpty)
  }
}
