import Staty
import StatyHistory

/// What the events of one visit, and the snapshot, say of it.
struct FollowedVisit {
  let visit: UInt32
  var state = ""
  /// How it stood when recording began: 0 if it waited, else as `Phase` numbers it.
  var stood: UInt8?
  /// The time of its first event.
  let since: Int64
  let firstSeq: Int64
  var asked: Int64?
  var told: Int64?
  var entered: Int64?
  var dismissed: Int64?
  /// The events with which it came, and in which it was told to exit last.
  var come: Int64?
  var lastExit: Int64?
  var gone: Int64?
  /// The number of its last event.
  var seen: Int64
  var hasCome = false

  /// Takes in what an event of its own says.
  mutating func take(_ row: EventRow) {
    if gone != nil { return }
    seen = row.seq
    switch EventKind(rawValue: row.kind) {
    case .enqueued: asked = asked ?? row.time
    case .entering:
      if entered == nil, stood ?? 0 == 0 {
        told = told ?? row.time
        come = come ?? row.seq
      }
    case .entered:
      if !wasIn {
        entered = entered ?? row.time
        if stood ?? 0 == 0 { come = come ?? row.seq }
      }
    case .deadline:
      if told != nil || stood == 1 { entered = entered ?? row.time }
    case .exiting:
      if stood != 3 { dismissed = dismissed ?? row.time }
      lastExit = row.seq
    case .exited, .discarded: gone = row.time
    default: break
    }
  }
}

/// A controller that let a visit come.
struct FollowedMove {
  let visit: UInt32
  let state: String
  let from: String?
  /// The visit that had come before, if it was still there, as it was then.
  let before: FollowedVisit?
}

/// What one controller did, followed event by event.
struct FollowedController {
  let record: ControllerRecord
  var visits: [UInt32: FollowedVisit] = [:]
  private(set) var moves: [FollowedMove] = []
  private(set) var detached: (time: Int64, seq: Int64)?
  var isTornDown = false
  var hasResumed = false
  let snapshot: SnapshotRecord?
  /// The last that came, unless that is not known.
  private var last: (visit: UInt32, state: String, isGone: Bool)?
  private var isLastKnown: Bool
  private var hasBegun = false

  init(_ record: ControllerRecord) {
    self.record = record
    snapshot = record.snapshot == "{}" ? SnapshotRecord() : SnapshotRecord(record.snapshot)
    isLastKnown = Self.isNew(snapshot)
    isTornDown = snapshot?.isTornDown ?? false
  }

  /// Whether nothing came before the recording.
  private static func isNew(_ snapshot: SnapshotRecord?) -> Bool {
    snapshot.map { $0.lastVisit == 0 && $0.isLate != true } ?? false
  }

  /// Events are missing here.
  mutating func lose(_ gap: LossRecord) {
    isLastKnown = false
  }

  mutating func take(_ row: EventRow, state: String) {
    let kind = EventKind(rawValue: row.kind)
    if !hasBegun {
      hasBegun = true
      // Which visits were open is told by events.
      if kind != .attached, kind != .stood, snapshot?.lastVisit ?? 0 > 0 { isLastKnown = false }
    }
    if row.visit == 0 {
      switch kind {
      case .attached: isLastKnown = Self.isNew(snapshot)
      case .detached: detached = detached ?? (row.time, row.seq)
      case .cancelled where row.reason == EventReason.cancelledTearDown.code: isTornDown = true
      case .resumed: hasResumed = true
      default: break
      }
      return
    }
    switch kind {
    case .enqueued, .entering, .entered, .exiting, .exited, .discarded: break
    case .deadline where row.reason == EventReason.enteringForce.code: break
    case .stood: return stand(row, state)
    default: return
    }
    // Something enters, so there is a target.
    if kind == .entering || kind == .entered { hasResumed = true }
    if visits[row.visit] == nil, kind == .deadline { return }
    var visit =
      visits[row.visit]
      ?? FollowedVisit(visit: row.visit, since: row.time, firstSeq: row.seq, seen: row.seq)
    if visit.gone != nil { return }
    visit.state = state
    visit.take(row)
    if !visit.hasCome, kind == .entering || kind == .entered {
      visit.hasCome = true
      if isLastKnown {
        moves.append(
          FollowedMove(
            visit: row.visit, state: state, from: last?.state,
            before: last.flatMap { $0.isGone ? nil : visits[$0.visit] }))
      }
      last = (row.visit, state, false)
      isLastKnown = true
    }
    visits[row.visit] = visit
  }

  /// A visit was open when recording began, or was the last that was shown.
  private mutating func stand(_ row: EventRow, _ state: String) {
    if row.reason != EventReason.stoodWaiting.code {
      last = (row.visit, state, row.reason == EventReason.stoodExited.code)
      isLastKnown = true
    }
    if row.reason == EventReason.stoodExited.code { return }
    var visit = FollowedVisit(visit: row.visit, since: row.time, firstSeq: row.seq, seen: row.seq)
    visit.state = state
    visit.stood = row.reason - 1
    visit.hasCome = visit.stood! > 0
    visits[row.visit] = visit
  }
}
