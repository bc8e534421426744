import Foundation
import Staty
import StatyHistory
import StatyReading
import StatySQLite

/// The cost of checking a history against the rules, compared with a scan of the same rows.
enum CheckBench {
  private static let controllers = 4
  /// The number of events of a transition.
  private static let perVisit = 5

  static func run() -> [Figure] {
    let large = measure(10_000_000)
    let small = measure(1_000_000)
    return [
      Figure(
        "check_vs_raw_scan", large.ratio, "10 M events checked, as a multiple of the baseline"),
      Figure("check_vs_raw_scan_1m", small.ratio, "the same with 1 M events"),
      Figure("check_rows_per_s", large.check, "events checked, 10 M"),
      Figure(
        "raw_scan_rows_per_s", large.scan,
        "baseline: stepping and reading every column", isBaseline: true),
    ]
  }

  private static func measure(_ count: Int) -> (check: Double, scan: Double, ratio: Double) {
    write(count)
    defer { remove() }
    // Alternating, so that both run under the same conditions.
    let pairs = (0..<3).map { _ in
      (
        scan: 1e9 / nanoseconds(per: count) { ReplayBench.scan(path) },
        check: 1e9 / nanoseconds(per: count, check)
      )
    }
    let sorted = pairs.sorted { $0.check / $0.scan < $1.check / $1.scan }
    let middle = sorted[sorted.count / 2]
    return (middle.check, middle.scan, middle.check / middle.scan)
  }

  private static var path: String { BenchFolder.path("check.sqlite") }

  private static func remove() { BenchFolder.removeHistory(at: path) }

  private static func check() {
    let result = try! HistoryCheck(HistoryReader(path: path)).session(1)
    precondition(result.findings.isEmpty, "\(result.findings.prefix(3))")
  }

  private static func write(_ count: Int) {
    remove()
    let writer = try! HistoryWriter(path: path)
    let session = try! writer.beginSession(
      SessionOpening(
        uuid: "b", app: "bench", appVersion: "1", os: "any", pid: 1, wallTime: 1_700_000_000))
    for index in 1...3 { _ = try! writer.intern(name: "state \(index)") }
    for index in 1...controllers {
      _ = try! writer.addController(session: session, name: "screen \(index)", policy: "queue")
    }
    var made = 0
    while made < count {
      let rows = (made..<min(made + 4_096, count)).map(row)
      let details = rows.filter { $0.visit > 1 && $0.visit % 10 == 0 && $0.kind == 3 }.map { row in
        var detail = EventDetail(seq: row.seq)
        detail.origin = row.visit - 1
        return detail
      }
      rows.withUnsafeBufferPointer { _ = try! writer.append($0, details: details, to: session) }
      if writer.framesInLog > 4_000 { _ = try! writer.checkpoint() }
      made += rows.count
    }
    try! writer.endSession(session, .clean)
    try! writer.close()
  }

  /// Events of several controllers in turn.
  ///
  /// Each transition is a request, the exit of the visit before, and the enter of the new one.
  private static func row(_ index: Int) -> EventRow {
    let step = index / controllers
    let visit = UInt32(step / perVisit + 1)
    let place = step % perVisit
    let seq = Int64(index + 1)
    let kinds: [EventKind] = [.enqueued, .exiting, .exited, .entering, .entered]
    // There is no visit before the first.
    let isFirst = visit == 1
    let kind: EventKind = isFirst && (place == 1 || place == 2) ? .mark : kinds[place]
    let subject = kind == .mark ? 0 : place == 1 || place == 2 ? visit - 1 : visit
    let isOutput = kind == .exiting || kind == .entering
    return EventRow(
      seq: seq, time: Int64(index) * 1_000, kind: kind,
      controller: Int32(index % controllers + 1), visit: subject,
      state: subject == 0 ? 0 : Int32(subject % 3 + 1),
      cause: isOutput ? seq - Int64(controllers) : 0)
  }
}
