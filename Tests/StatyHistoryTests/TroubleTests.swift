import Staty
import StatySQLite
import Testing

@testable import StatyHistory
import StatyReading

@Suite("Trouble while writing")
struct TroubleTests {
  let history: TemporaryHistory

  init() throws {
    history = try TemporaryHistory()
  }

  @Test("making what is stored durable writes to the log, and changes nothing else")
  func sync() throws {
    try history.write { writer in
      _ = try writer.beginSession(.test())
      // What SQLite does not write it does not sync.
      for _ in 0..<2 {
        let frames = writer.framesInLog
        try writer.sync()
        #expect(writer.framesInLog > frames)
      }
      #expect(try writer.connection.pragma("synchronous") == "1")
      #expect(try writer.connection.pragma("user_version") == "\(HistoryFile.schemaVersion)")
    }
    #expect(try HistoryReader(path: history.path).sessions().count == 1)
  }

  @Test("calls that are gathered share a transaction, and one that fails is undone by itself")
  func gathered() throws {
    let other = try Connection(path: history.path, mode: .readWriteCreate)
    try history.write { writer in
      func stored() throws -> Int64 {
        let rows = try other.prepare("SELECT count(*) FROM event")
        _ = try rows.step()
        return rows.int64(at: 0)
      }
      _ = try writer.beginSession(.test())
      try writer.gathering {
        try writer.append([EventRow(seq: 1, time: 1, kind: .mark)])
        #expect(throws: HistoryError.noSession(9)) { try writer.endSession(9, .clean) }
        try writer.append([EventRow(seq: 2, time: 2, kind: .mark)])
        #expect(try stored() == 0)
        try writer.append((3...30_000).map { EventRow(seq: $0, time: $0, kind: .mark) })
        #expect(try stored() == 30_000, "no transaction grows without end")
        try writer.append([EventRow(seq: 30_001, time: 30_001, kind: .mark)])
        #expect(try stored() == 30_000)
      }
      #expect(try stored() == 30_001)
      #expect(try writer.sessions().map(\.ended) == [.open])
    }
    try other.close()
    #expect(try history.damage() == nil)
  }

  @Test("of calls that are gathered none succeeds when what the first had stored was taken back")
  func takenBack() throws {
    try history.write { writer in
      _ = try writer.beginSession(.test())
      var failed = 0
      func mayFail(_ body: () throws -> Void) { do { try body() } catch { failed += 1 } }
      let all = Result {
        try writer.gathering {
          mayFail { try writer.append([EventRow(seq: 1, time: 1, kind: .mark)]) }
          mayFail {
            try writer.writing {
              // As SQLite does by itself after some failures of the disk.
              try writer.connection.execute("ROLLBACK")
              throw HistoryError.noSession(9)
            }
          }
          mayFail { try writer.append([EventRow(seq: 2, time: 2, kind: .mark)]) }
        }
      }
      #expect(failed == 2)
      #expect(throws: HistoryError.noSession(9)) { try all.get() }
      try writer.append([EventRow(seq: 3, time: 3, kind: .mark)])
    }
    #expect(try history.rows().map(\.seq) == [3])
    #expect(try history.damage() == nil)
  }

  @Test("a full disk stores nothing of the call, and the next goes on where there is space again")
  func full() throws {
    try history.write { writer in
      _ = try writer.beginSession(.test())
      var seq: Int64 = 1
      func batch(_ count: Int64) -> [EventRow] {
        (seq..<seq + count).map { EventRow(seq: $0, time: $0, kind: .mark) }
      }
      try writer.append(batch(100))
      seq += 100
      try writer.connection.setPragma("max_page_count", to: "40")
      var failures = 0
      for _ in 0..<3 {
        let rows = batch(20_000)
        let state = try writer.intern(name: "new")
        do throws(HistoryError) {
          _ = try rows.withUnsafeBufferPointer { rows throws(HistoryError) in
            try writer.append(rows, details: [EventDetail(seq: seq)], to: 1)
          }
        } catch {
          guard case .full = error else { throw error }
          failures += 1
        }
        #expect(state == 1)
        #expect(try writer.highestSeq() == 100)
      }
      #expect(failures == 3)
      try writer.connection.setPragma("max_page_count", to: "1000")
      #expect(try writer.append(batch(20_000), details: [EventDetail(seq: seq)]) == 20_000)
    }
    #expect(try history.rows().count == 20_100)
    #expect(try history.query("SELECT stored, last_seq FROM session") == ["20100|20100"])
    #expect(try history.query("SELECT text FROM name") == ["new"])
    #expect(try history.damage() == nil)
  }

  @Test("another writer's lock is an error after which the same call works")
  func locked() throws {
    var settings = WritingSettings()
    settings.busyTimeoutMilliseconds = 1
    let writer = try HistoryWriter(path: history.path, settings: settings)
    _ = try writer.beginSession(.test())
    let other = try Connection(path: history.path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let rows = [EventRow(seq: 1, time: 0, kind: .mark)]
    let error = #expect(throws: HistoryError.self) { try writer.append(rows) }
    guard case .failed(let cause)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.code == .busy)
    try other.execute("ROLLBACK")
    #expect(try writer.append(rows) == 1)
  }
}
