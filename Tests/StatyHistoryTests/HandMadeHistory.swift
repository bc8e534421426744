import Staty
import StatyHistory

/// Two sessions with views that can be computed by hand.
///
/// In the first, two visits overlap, one is discarded, one exits by itself, two numbers are lost
/// and the process dies. In the second all is well, and one visit is still shown.
enum HandMadeHistory {
  static func write(_ writer: HistoryWriter) throws {
    let first = try writer.beginSession(.test("first"))
    for name in ["checkout", "loading", "content", "alert", "sheet"] {
      _ = try writer.intern(name: name)
    }
    _ = try writer.intern(site: "Shop/Checkout.swift", line: 12)
    _ = try writer.addController(session: first, name: "checkout", policy: "latest")
    _ = try writer.addController(session: first, name: "sheet", policy: "queue")
    var asked = EventDetail(seq: 4)
    asked.origin = 1
    asked.payload = Array("abc".utf8)
    try writer.append(rows, details: [asked], to: first)
    try writer.recordLoss(first: 15, last: 16, count: 2, reason: "lane full")
    // The wall clock is put forward by an hour.
    try writer.addAnchor(session: first, time: 50_000, wallTime: 1_700_003_600_050_000)
    try writer.endSession(first, .killed)
    let second = try writer.beginSession(.test("second", wallTime: 1_700_010_000_123_456))
    let controller = try writer.addController(session: second, name: "checkout", policy: "queue")
    try writer.append(
      [
        row(18, 0, .enqueued, controller, 1, 2), row(19, 1, .entering, controller, 1, 2, cause: 18),
        row(20, 2, .entered, controller, 1, 2), row(21, 3, .mark, 0, 0, 0),
      ], to: second)
    try writer.endSession(second, .clean)
  }

  private static let rows: [EventRow] = [
    row(1, 0, .enqueued, 1, 1, 2),
    row(2, 1, .entering, 1, 1, 2, cause: 1),
    row(3, 11, .entered, 1, 1, 2),
    row(4, 20, .enqueued, 1, 2, 3),
    row(5, 21, .entering, 1, 2, 3, cause: 4),
    row(6, 25, .enqueued, 1, 3, 4),
    row(7, 25, .discarded, 1, 3, 4, cause: 6, reason: .replaced),
    row(8, 30, .exiting, 1, 1, 2),
    row(9, 40, .exited, 1, 1, 2),
    row(10, 41, .entered, 1, 2, 3),
    row(11, 50, .exited, 1, 2, 3),
    row(12, 55, .enqueued, 2, 1, 5),
    row(13, 56, .entering, 2, 1, 5, cause: 12),
    row(14, 60, .enqueued, 1, 4, 2),
    row(17, 100, .enqueued, 1, 5, 3),
  ]

  private static func row(
    _ seq: Int64, _ milliseconds: Int64, _ kind: EventKind, _ controller: Int32, _ visit: UInt32,
    _ state: Int32, cause: Int64 = 0, reason: EventReason? = nil
  ) -> EventRow {
    EventRow(
      seq: seq, time: milliseconds * 1_000, kind: kind, reason: reason?.code ?? 0, thread: 2,
      controller: controller, visit: visit, state: state, cause: cause)
  }
}
