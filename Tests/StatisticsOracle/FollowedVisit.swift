import Staty
import StatyHistory

/// What the events of one visit, and the snapshot, say of it.
struct FollowedVisit {
  let visit: UInt32
  var state = ""
  /// How it stood in the snapshot: 0 if it waited, else as `Phase` numbers it.
  var stood: UInt8?
  var asked: Int64?
  var told: Int64?
  var entered: Int64?
  var dismissed: Int64?
  var gone: Int64?
  /// The number of its last event.
  var seen: Int64
  var hasCome = false

  /// Takes in what an event of its own says.
  mutating func take(_ row: EventRow) {
    seen = max(seen, row.seq)
    switch EventKind(rawValue: row.kind) {
    case .enqueued: asked = min(asked ?? row.time, row.time)
    case .entering: told = min(told ?? row.time, row.time)
    case .entered, .deadline: entered = min(entered ?? row.time, row.time)
    case .exiting: dismissed = min(dismissed ?? row.time, row.time)
    case .exited, .discarded: gone = min(gone ?? row.time, row.time)
    default: break
    }
  }
}

/// A controller that let a visit come.
struct FollowedMove {
  let visit: UInt32
  let state: String
  let from: String?
  /// The visit that had come before, if it was still there.
  let before: UInt32?
}

/// What one controller did, followed event by event.
struct FollowedController {
  let record: ControllerRecord
  var visits: [UInt32: FollowedVisit] = [:]
  private(set) var moves: [FollowedMove] = []
  /// The visits in the order in which they came.
  private(set) var order: [UInt32] = []
  var startTime: Int64 = 0
  var startSeq: Int64
  var detached: Int64?
  var isTornDown = false
  var hasResumed = false
  let snapshot: SnapshotRecord?
  /// The last that came, unless that is not known.
  private var last: (visit: UInt32, state: String, isGone: Bool)?
  private var isLastKnown: Bool

  init(_ record: ControllerRecord, firstSeq: Int64) {
    self.record = record
    startSeq = firstSeq
    snapshot = record.snapshot == "{}" ? SnapshotRecord() : SnapshotRecord(record.snapshot)
    isLastKnown = snapshot != nil
    last = isLastKnown ? Self.shown(snapshot) : nil
    for one in (snapshot?.standing ?? []) + (snapshot?.waiting ?? []) {
      var visit = FollowedVisit(visit: one.visit, seen: startSeq)
      visit.state = one.state
      visit.stood = one.phase ?? 0
      visit.hasCome = visit.stood! > 0
      visits[one.visit] = visit
      if visit.hasCome { order.append(one.visit) }
    }
  }

  private static func shown(
    _ snapshot: SnapshotRecord?
  ) -> (visit: UInt32, state: String, isGone: Bool)? {
    snapshot?.standing.last.map { ($0.visit, $0.state, $0.phase == 4) }
  }

  /// Events are missing here.
  mutating func lose(_ gap: LossRecord) {
    isLastKnown = false
  }

  mutating func take(_ row: EventRow, state: String) {
    let kind = EventKind(rawValue: row.kind)
    if row.visit == 0 {
      switch kind {
      case .attached: begin(row)
      case .detached: detached = detached ?? row.time
      case .cancelled where row.reason == EventReason.cancelledTearDown.code: isTornDown = true
      case .resumed: hasResumed = true
      default: break
      }
      return
    }
    switch kind {
    case .enqueued, .entering, .entered, .exiting, .exited, .discarded: break
    case .deadline where row.reason == EventReason.enteringForce.code: break
    default: return
    }
    var visit = visits[row.visit] ?? FollowedVisit(visit: row.visit, seen: row.seq)
    visit.state = state
    visit.take(row)
    if !visit.hasCome, kind == .entering || kind == .entered {
      visit.hasCome = true
      if isLastKnown {
        moves.append(
          FollowedMove(
            visit: row.visit, state: state, from: last?.state,
            before: last.flatMap { $0.isGone ? nil : $0.visit }))
      }
      last = (row.visit, state, false)
      order.append(row.visit)
      isLastKnown = true
    }
    visits[row.visit] = visit
  }

  /// Where it stood is said with its first event; what was lost before that is no matter.
  private mutating func begin(_ row: EventRow) {
    (startTime, startSeq) = (row.time, row.seq)
    isLastKnown = snapshot != nil
    for visit in visits.keys { visits[visit]?.seen = row.seq }
  }
}
