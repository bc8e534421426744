import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyReplay
import StatySQLite

/// The cost of replaying, compared with a scan of the same rows.
enum ReplayBench {
  static func run(_ wanted: Wanted) -> [Figure] {
    let isAny = wanted.isAny(
      "replay_vs_raw_scan", "replay_vs_raw_scan_1m", "replay_events_per_s", "raw_scan_rows_per_s",
      "peak_rss_mb")
    return wanted.pick(isAny ? policies() : [])
      + wanted("replay_opaque_events_per_s") {
        Figure($0, OpaqueReplayBench.rate(), "of a class, run again, 1 M events")
      }
  }

  private static func policies() -> [Figure] {
    let short = rates(transitions: 200_000)
    let long = rates(transitions: 2_000_000)
    return [
      Figure(
        "replay_vs_raw_scan", long.replay / long.scan, "10 M events, against reading every column"),
      Figure("replay_vs_raw_scan_1m", short.replay / short.scan, "the same at 1 M events"),
      Figure("replay_events_per_s", long.replay, "inputs told, outputs compared, 10 M events"),
      Figure("raw_scan_rows_per_s", long.scan, "baseline: stepping and reading every column"),
      Figure("peak_rss_mb", peakMegabytes(), "of this process, writing the histories included"),
    ]
  }

  private static func rates(transitions: Int) -> (replay: Double, scan: Double) {
    let history = try! write(transitions)
    defer { BenchFolder.removeHistory(at: history) }
    let events = Double(transitions * 5)
    let pairs = (0..<3).map { _ in
      (
        replay: events / seconds { replay(history, expecting: transitions * 5 - 2) },
        scan: events / seconds { scan(history) }
      )
    }
    return pairs.sorted { $0.replay / $0.scan < $1.replay / $1.scan }[1]
  }

  private static func replay(_ path: String, expecting count: Int) {
    let reader = try! HistoryReader(path: path)
    let verification = try! Verification(reader, session: 1)
    let result = try! verification.run()
    precondition(result.verdict == .reproduced && result.matched + result.told == count)
  }

  /// Reads every column of all events.
  static func scan(_ path: String) {
    let connection = try! Connection(path: path, mode: .readOnly)
    defer { try! connection.close() }
    let rows = try! connection.prepare("SELECT * FROM event ORDER BY seq")
    var sum: Int64 = 0
    while try! rows.step() {
      for column in 0..<rows.columnCount { sum &+= rows.int64(at: column) }
    }
    precondition(sum != 0)
  }
}

// MARK: The history

extension ReplayBench {
  /// A queue with states that enter and exit at once, one after the other.
  private static func write(_ transitions: Int) throws -> String {
    let path = BenchFolder.path("replay-\(transitions).sqlite")
    BenchFolder.removeHistory(at: path)
    let writer = try HistoryWriter(path: path)
    let session = try writer.beginSession(
      SessionOpening(
        uuid: "bench", app: "bench", appVersion: "1", os: "", pid: 1, wallTime: 1))
    var recorded = SnapshotRecord()
    recorded.isWithholding = false
    let course = Course(
      controller: try writer.addController(
        session: session, name: "checkout", policy: "queue", fidelity: 1, snapshot: recorded.text),
      states: try ["loading", "content", "alert", "empty"].map { try writer.intern(name: $0) },
      site: try writer.intern(site: "Checkout.swift", line: 12))
    var rows = [EventRow(seq: 1, time: 0, kind: .attached, controller: course.controller)]
    for visit in 1...transitions {
      course.add(UInt32(visit), to: &rows)
      if rows.count >= 4_096 || visit == transitions {
        try rows.withUnsafeBufferPointer { _ = try writer.append($0, to: session) }
        rows.removeAll(keepingCapacity: true)
        if writer.framesInLog > 4_000 { try writer.checkpoint(.passive) }
      }
    }
    try writer.endSession(session, .clean)
    try writer.close()
    return path
  }

  private struct Course {
    let controller: Int32
    let states: [Int32]
    let site: Int32

    /// The events of one transition: the request, the exit of the visit before, and the enter.
    func add(_ visit: UInt32, to rows: inout [EventRow]) {
      // The first visit has two events less, because there is no visit before it.
      var seq = visit == 1 ? 2 : Int64(visit - 1) * 5
      func event(_ kind: EventKind, _ visit: UInt32, cause: Int64, site: Int32 = 0) -> EventRow {
        defer { seq += 1 }
        return EventRow(
          seq: seq, time: seq * 10, kind: kind, controller: controller, visit: visit,
          state: states[Int(visit) & 3], cause: cause, site: site)
      }
      rows.append(event(.enqueued, visit, cause: 0, site: site))
      if visit > 1 {
        rows.append(event(.exiting, visit - 1, cause: seq - 1))
        rows.append(event(.exited, visit - 1, cause: seq - 1))
      }
      rows.append(event(.entering, visit, cause: seq - 1))
      rows.append(event(.entered, visit, cause: seq - 1))
    }
  }
}
