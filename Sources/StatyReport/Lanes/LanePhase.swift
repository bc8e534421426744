import Staty
package import StatyHistory

/// The phase of a visit in pictures.
package enum LanePhase: String, Sendable, CaseIterable {
  /// It was requested and is pending.
  case pending
  /// It was told to enter and has not reported that it has entered.
  case entering
  /// It has entered.
  case current
  /// It was told to exit and has not reported that it has exited.
  case exiting
  /// It has exited.
  case exited
  /// The controller will not show it, or no longer waits for its completion.
  case discarded

  /// Whether the visit has ended.
  package var isOver: Bool { self == .exited || self == .discarded }

  /// Whether the visit is pending or in a transition.
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
  /// The phases of the last event's visit before and after the event; `nil` if a phase is not
  /// known.
  var phases: (before: LanePhase?, after: LanePhase?) {
    // A visit of a track is never pending, so its first `moved` has no phase before.
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

/// An event of a visit, and the visit's phase after it.
package struct LaneStep: Equatable, Sendable {
  /// The number of the event.
  package let seq: Int64
  /// Microseconds since the session began.
  package let time: Int64
  /// The number of the `EventKind`.
  package let kind: UInt8
  /// The phase after the event; `nil` if it is not known.
  package let phase: LanePhase?
}
