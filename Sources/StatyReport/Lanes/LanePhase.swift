import Staty
package import StatyHistory

/// How far a visit is, as pictures name it.
package enum LanePhase: String, Sendable, CaseIterable {
  /// It was requested and waits.
  case pending
  /// It was told to enter and has not reported that it has entered.
  case entering
  /// It has entered.
  case current
  /// It was told to exit and has not reported that it has exited.
  case exiting
  /// It has exited.
  case exited
  /// The controller will not show it, or no longer waits for it.
  case discarded

  /// Whether nothing is expected of it any more.
  package var isOver: Bool { self == .exited || self == .discarded }

  /// Whether something has to happen before it is at rest.
  var isUnderWay: Bool { self == .pending || self == .entering || self == .exiting }

  package init(_ phase: OpenVisit.Phase) {
    switch phase {
    case .waiting: self = .pending
    case .entering: self = .entering
    case .entered: self = .current
    case .exiting: self = .exiting
    }
  }
}

extension VisitFold {
  /// How far the visit of the last event was before it and is after it; none where that is not known.
  var phases: (before: LanePhase?, after: LanePhase?) {
    // No track waits: where one is seen first it was there before, or was not.
    let isNew =
      change.visit.progress == .waiting && change.row.kind == EventKind.moved.rawValue
    let before = change.subject == .open && !isNew ? LanePhase(change.visit.progress) : nil
    if let outcome = change.outcome {
      return (before, outcome >= VisitRow.Outcome.discarded ? .discarded : .exited)
    }
    let visit = visit(change.row.visit, of: change.row.controller)
    return (before, visit.map { LanePhase($0.progress) })
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
