import Staty
import StatyHistory

/// A history with events that have every mixture of rare parts, made from a seed.
struct ManyDetails {
  private(set) var rows: [EventRow] = []
  private(set) var details: [EventDetail] = []
  private var random: UInt64

  init(seed: UInt64, count: Int64 = 300) {
    random = seed
    for seq in 1...count {
      rows.append(
        EventRow(
          seq: seq, time: seq * 10, kind: .enqueued, controller: 1, visit: UInt32(seq), state: 2))
      if let detail = detail(seq) { details.append(detail) }
    }
  }

  func write(_ writer: HistoryWriter) throws {
    let session = try writer.beginSession(.test())
    try SmallHistory.names(writer, session)
    try writer.append(rows, details: details, to: session)
    try writer.endSession(session, .clean)
  }

  /// One in four events has none, one in eight one that says nothing.
  private mutating func detail(_ seq: Int64) -> EventDetail? {
    var detail = EventDetail(seq: seq)
    switch next(8) {
    case 0, 1: return nil
    case 2: return detail
    case 3: detail.instance = 1 + next(7)
    case 4: detail.origin = 1 + next(200)
    case 5:
      detail.instance = .max
      detail.origin = .max
    case 6: detail.priority = Int32(next(7)) - 3
    default:
      if next(2) == 0 { detail.instance = 1 + next(300) }
      if next(2) == 0 { detail.origin = 1 + next(300) }
      if next(2) == 0 { detail.equality = next(3) }
      if next(2) == 0 { detail.asked = 2 }
      if next(2) == 0 { detail.payload = [UInt8](repeating: 7, count: Int(next(20))) }
    }
    return detail
  }

  private mutating func next(_ bound: UInt32) -> UInt32 {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt32(truncatingIfNeeded: random >> 33) % bound
  }
}
