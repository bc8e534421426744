import Staty
import StatyHistory

/// A history of nine events that has something in every column.
enum SmallHistory {
  static var rows: [EventRow] {
    var rows = plain
    rows[2].set(.performed, of: 2)
    rows[4].set(.observed, of: 4)
    rows[5].set(.called, of: 2, cause: 5)
    return rows
  }

  private static let plain: [EventRow] = [
    EventRow(seq: 1, time: 0, kind: .attached, controller: 1),
    EventRow(seq: 2, time: 10, kind: .enqueued, controller: 1, visit: 1, state: 2, site: 1),
    EventRow(seq: 3, time: 20, kind: .entering, controller: 1, visit: 1, state: 2, cause: 2),
    EventRow(seq: 4, time: 30, kind: .entered, thread: 1, controller: 1, visit: 1, state: 2),
    EventRow(
      seq: 5, time: 40, kind: .enqueued, controller: 2, visit: 1, state: 3, cause: 4, site: 2),
    EventRow(
      seq: 6, time: 40, kind: .discarded, reason: EventReason.rejected.code, controller: 2,
      visit: 1, state: 3, cause: 5),
    EventRow(seq: 7, time: 50, kind: .exiting, controller: 1, visit: 1, state: 2),
    EventRow(seq: 9, time: 60, kind: .exited, controller: 1, visit: 1, state: 2),
    EventRow(seq: 10, time: 70, kind: .mark),
  ]

  static var details: [EventDetail] {
    var request = EventDetail(seq: 5)
    request.instance = 1
    request.origin = 1
    request.priority = -3
    request.equality = 7
    request.answers = 1 << 63
    request.asked = 2
    request.objection = 2
    request.payload = [0, 255, 1]
    var refusal = EventDetail(seq: 6)
    refusal.refusal = 3
    refusal.refusedFrom = 2
    refusal.refusedNeeds = 3
    var mark = EventDetail(seq: 10)
    mark.note = "half\0way"
    return [request, refusal, mark]
  }

  /// Writes it; number 8 is lost.
  static func write(_ writer: HistoryWriter) throws {
    let session = try writer.beginSession(.test())
    try names(writer, session)
    try writer.append(rows, details: details, to: session)
    try writer.recordLoss(first: 8, last: 8, count: 1, reason: "lane full")
    try writer.endSession(session, .clean)
  }

  static func names(_ writer: HistoryWriter, _ session: Int64) throws {
    for name in ["checkout", "loading", "content", "queue"] { _ = try writer.intern(name: name) }
    _ = try writer.intern(site: "Shop/Checkout.swift", line: 12)
    _ = try writer.intern(site: "Shop/Checkout.swift", line: 40)
    _ = try writer.addController(
      session: session, name: "checkout", policy: "queue", snapshot: #"{"waiting":[]}"#)
    _ = try writer.addController(session: session, name: "loading", policy: "queue", fidelity: 2)
  }
}
