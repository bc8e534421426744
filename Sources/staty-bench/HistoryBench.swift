import Staty
import Foundation
import StatyHistory
import StatySQLite

/// The cost of writing and reading the file, and its size.
enum HistoryBench {
  private static let count = 1_000_000

  static func run() -> [Figure] {
    let rows = realisticRows(count)
    let slow = realisticRows(200_000, spacing: 50_000)
    // Alternating, so that both use the disk under the same conditions.
    let pairs = (0..<5).map { _ in
      (append: write(rows, batch: 4_096).rate, raw: writeRaw(rows, batch: 4_096))
    }
    let append = middle(pairs.map(\.append))
    let raw = middle(pairs.map(\.raw))
    let ratio = middle(pairs.map { $0.append / $0.raw })
    let slowSize = write(slow, batch: 10).size
    let size = write(rows, batch: 4_096).size
    let read = median(of: 3) { 1e9 / nanoseconds(per: count) { readAll() } }
    let verified = median(of: 3) { 1e9 / nanoseconds(per: count) { verifyAll() } }
    remove()
    return [
      Figure("append_rows_per_s", append, "rows stored with checksums, batches of 4,096"),
      Figure("append_vs_raw_insert", ratio, "the same as a multiple of the baseline"),
      Figure("bytes_per_event", Double(size) / Double(count), "whole file after close"),
      Figure(
        "bytes_per_event_slow", Double(slowSize) / Double(slow.count),
        "the same at 20 events/s, commits of 10"),
      Figure("read_rows_per_s", read, "events read in order"),
      Figure("verify_rows_per_s", verified, "events compared with their checksums"),
      Figure(
        "raw_insert_rows_per_s", raw,
        "baseline: bound inserts into the same table, same batches, no checksums",
        isBaseline: true),
    ]
  }

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
    return Double(write(rows, batch: 10).size) / Double(rows.count)
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

  private static func middle(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }

  // 16 MB: both sides copy their log equally often.
  private static let framesBeforeCheckpoint = 4_000

  /// Writes a session, and returns the rate from the first row to the last, and the size of the
  /// closed file.
  private static func write(_ rows: [EventRow], batch: Int) -> (rate: Double, size: Int) {
    remove()
    let writer = try! HistoryWriter(path: path)
    let session = try! begin(writer)
    let taken = nanoseconds(per: rows.count) {
      rows.withUnsafeBufferPointer { rows in
        inBatches(of: batch, rows) { rows in
          _ = try! writer.append(rows, to: session)
          if writer.framesInLog > framesBeforeCheckpoint { _ = try! writer.checkpoint() }
        }
      }
    }
    try! writer.endSession(session, .clean)
    try! writer.close()
    let size = try! FileManager.default.attributesOfItem(atPath: path)[.size] as! Int
    return (1e9 / taken, size)
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

  private static func readAll() {
    let reader = try! HistoryReader(path: path)
    let events = try! reader.events(session: 1)
    var seen = 0
    while let row = try! events.next() { seen += row.seq > 0 ? 1 : 0 }
    precondition(seen == count)
  }

  private static func verifyAll() {
    let reader = try! HistoryReader(path: path)
    precondition(try! ChainVerifier(reader).firstDamage(session: 1) == nil)
  }
}
