import Staty
import StatyHistory

/// How far a visit is.
package enum LanePhase: String, Sendable, CaseIterable {
  /// It was asked for and waits.
  case pending
  /// It was told to come in and has not said that it is in.
  case entering
  /// It is in.
  case current
  /// It was told to leave and has not said that it is out.
  case exiting
  /// It is out.
  case exited
  /// The controller will not show it, or no longer waits for it.
  case discarded

  /// Whether nothing is expected of it any more.
  package var isOver: Bool { self == .exited || self == .discarded }

  /// Whether it is on the stage.
  var isOnStage: Bool { self == .entering || self == .current || self == .exiting }

  /// Whether it waits for somebody else, or somebody for it.
  var isUnderWay: Bool { self == .pending || self == .entering || self == .exiting }
}

// What events say of visits, for every picture of a history.
extension LanePhase {
  /// How far a visit is after an event; none if that says nothing of it.
  ///
  /// Nobody comes back to an earlier phase, as the rules and the views have it: who says so again says
  /// nothing new.
  ///
  /// - Parameter before: how far it was; none if that is not known.
  static func after(_ row: EventRow, _ before: LanePhase?) -> LanePhase? {
    if let before, before.isOver { return before }
    return switch EventKind(rawValue: row.kind) {
    case .enqueued: before ?? .pending
    case .entering: before.map { $0.isOnStage ? $0 : .entering } ?? .entering
    // One that was told to leave too early is leaving as soon as it is in.
    case .entered: before == .exiting ? .exiting : .current
    // One that is told to leave while it waits was never on the stage.
    case .exiting: before == .pending ? .pending : .exiting
    case .exited: .exited
    case .discarded: .discarded
    case .deadline where isForced(row) && before == .entering: .current
    default: before
    }
  }

  /// Whether an event says how far a visit is.
  static func isSaid(by row: EventRow) -> Bool {
    (EventKind.enqueued.rawValue...EventKind.discarded.rawValue).contains(row.kind)
      || isForced(row)
  }

  /// Whether from a deadline on the controller takes the visit for being in.
  private static func isForced(_ row: EventRow) -> Bool {
    row.kind == EventKind.deadline.rawValue && row.reason == EventReason.enteringForce.code
  }

  /// How far a visit must have been that does this first.
  static func before(_ row: EventRow) -> LanePhase? {
    switch EventKind(rawValue: row.kind) {
    case .entering, .discarded: .pending
    case .entered: .entering
    case .exiting: .current
    case .exited: .exiting
    default: nil
    }
  }

  /// How far a visit is, as a snapshot of a controller numbers it.
  init?(_ phase: UInt8) {
    switch Phase(rawValue: phase) {
    case .entering: self = .entering
    case .entered: self = .current
    case .exiting: self = .exiting
    default: return nil
    }
  }
}

/// Something that happened to a visit, and how far it was from then on.
package struct LaneStep: Equatable, Sendable {
  /// The number of the event.
  package let seq: Int64
  /// Microseconds since the session began.
  package let time: Int64
  /// What happened, as `EventKind` numbers it.
  package let kind: UInt8
  /// What it says beyond that.
  package let reason: UInt8
  /// How far the visit was after it; none if that is not known.
  let phase: LanePhase?
}
