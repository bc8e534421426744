import Staty
import Foundation
import StatyHistory
import StatySQLite

/// What the recorder is compared with: bound inserts, and the file of an app that does little.
enum HistoryBench {
  private static let count = 1_000_000

  /// The rate of bound inserts into the table of events.
  static func rawInsertRate() -> Double {
    let rows = realisticRows(count)
    defer { remove() }
    return median(of: 3) { writeRaw(rows, batch: 4_096) }
  }

  /// The size of the file per event when every commit has ten events.
  static func slowBytesPerEvent() -> Double {
    let rows = realisticRows(200_000, spacing: 50_000)
    defer { remove() }
    return Double(write(rows, batch: 10)) / Double(rows.count)
  }

  /// Visits of three states in turn, with five events each.
  ///
  /// Outputs are caused by the event before.
  private static func realisticRows(_ count: Int, spacing: Int64 = 1_000) -> [EventRow] {
    let kinds: [EventKind] = [.enqueued, .entering, .entered, .exiting, .exited]
    return (0..<count).map { index in
      let kind = kinds[index % 5]
      let visit = UInt32(index / 5 + 1)
      let seq = Int64(index + 1)
      return EventRow(
        seq: seq, time: Int64(index) * spacing + Int64(index % 7), kind: kind, controller: 1,
        visit: visit, state: Int32(visit % 3 + 1),
        cause: kind == .entering || kind == .exiting ? seq - 1 : 0,
        site: kind == .enqueued ? Int32(visit % 3 + 1) : 0)
    }
  }

  private static var path: String { BenchFolder.path("history.sqlite") }

  private static func remove() { BenchFolder.removeHistory(at: path) }

  // 16 MB: both sides copy their log equally often.
  private static let framesBeforeCheckpoint = 4_000

  /// Writes a session, and returns the size of the closed file.
  private static func write(_ rows: [EventRow], batch: Int) -> Int {
    remove()
    let writer = try! HistoryWriter(path: path)
    let session = try! begin(writer)
    rows.withUnsafeBufferPointer { rows in
      inBatches(of: batch, rows) { rows in
        _ = try! writer.append(rows, to: session)
        if writer.framesInLog > framesBeforeCheckpoint { _ = try! writer.checkpoint() }
      }
    }
    try! writer.endSession(session, .clean)
    try! writer.close()
    return try! FileManager.default.attributesOfItem(atPath: path)[.size] as! Int
  }

  private static func begin(_ writer: HistoryWriter) throws -> Int64 {
    let session = try writer.beginSession(
      SessionOpening(
        uuid: "b", app: "bench", appVersion: "1", os: "any", pid: 1, wallTime: 1_700_000_000))
    for index in 1...3 {
      _ = try writer.intern(name: "state \(index)")
      _ = try writer.intern(site: "Bench/Bench.swift", line: Int64(index))
    }
    _ = try writer.addController(session: session, name: "checkout", policy: "queue")
    return session
  }

  private static func inBatches(
    of size: Int, _ rows: UnsafeBufferPointer<EventRow>,
    _ body: (UnsafeBufferPointer<EventRow>) -> Void
  ) {
    var start = 0
    while start < rows.count {
      let end = min(start + size, rows.count)
      body(UnsafeBufferPointer(rebasing: rows[start..<end]))
      start = end
    }
  }

  /// Writes the same rows into the same table with one bound statement.
  private static func writeRaw(_ rows: [EventRow], batch: Int) -> Double {
    remove()
    let connection = try! HistoryFile.migrator.open(path: path)
    let taken = nanoseconds(per: rows.count) { fill(connection, rows, batch: batch) }
    try! connection.close()
    return 1e9 / taken
  }

  private static func fill(_ connection: Connection, _ rows: [EventRow], batch: Int) {
    let insert = try! connection.prepare(
      """
      INSERT INTO event(seq, t, what, visit, state, inside, ref)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """)
    rows.withUnsafeBufferPointer { rows in
      inBatches(of: batch, rows) { rows in
        try! connection.transaction {
          for row in rows { try bind(row, to: insert) }
        }
        if connection.framesInLog > framesBeforeCheckpoint {
          _ = try! connection.checkpoint(.passive)
        }
      }
    }
  }

  private static func bind(_ row: EventRow, to insert: Statement) throws {
    func bind(_ value: Int64, at index: Int) throws {
      if value == 0 { try insert.bindNull(at: index) } else { try insert.bind(value, at: index) }
    }
    try insert.bind(row.seq, at: 1)
    try insert.bind(row.time, at: 2)
    try insert.bind(Int64(row.kind) | Int64(row.controller) << 14, at: 3)
    try bind(Int64(row.visit), at: 4)
    try bind(Int64(row.state), at: 5)
    try bind(row.cause == 0 ? 0 : (row.seq - row.cause) << 2, at: 6)
    try bind(Int64(row.site), at: 7)
    try insert.run()
  }
}
