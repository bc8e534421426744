package import Staty

/// What an event says beyond its kind, in one of 7 codes that each kind numbers for itself.
///
/// The codes are part of the file format, as the numbers of the kinds are. Code 0 says nothing.
package struct EventReason: Hashable, Sendable {
  /// The kind of event that can say this.
  package let kind: EventKind
  /// The number in the file, from 1 to 7.
  package let code: UInt8
  /// The reason's name, as the view `history` gives it.
  package let text: String

  private init(_ kind: EventKind, _ code: UInt8, _ text: String) {
    self.kind = kind
    self.code = code
    self.text = text
  }
}

extension EventReason {
  /// The request was not allowed.
  package static let rejected = EventReason(.discarded, 1, "rejected")
  /// A newer request took its place.
  package static let replaced = EventReason(.discarded, 2, "replaced")
  /// The request before it asks for the same.
  static let coalesced = EventReason(.discarded, 3, "coalesced")
  /// Somebody cancelled it.
  package static let cancelled = EventReason(.discarded, 4, "cancelled")
  /// It took longer than it was given.
  package static let timedOut = EventReason(.discarded, 5, "timed-out")
  /// The controller, or what it shows its states on, has gone.
  package static let tornDown = EventReason(.discarded, 6, "torn-down")

  /// The completion that fits nothing said "I am in".
  package static let strayEntered = EventReason(.stray, 1, "entered")
  /// The completion that fits nothing said "I am out".
  package static let strayExited = EventReason(.stray, 2, "exited")

  /// Its recording goes on in the next session.
  static let continues = EventReason(.detached, 1, "continues")

  /// One visit was cancelled.
  package static let cancelledVisit = EventReason(.cancelled, 1, "visit")
  /// Every open visit was cancelled.
  package static let cancelledAll = EventReason(.cancelled, 2, "all")
  /// The controller was torn down.
  package static let cancelledTearDown = EventReason(.cancelled, 3, "tear-down")

  /// Coming in took too long, and that is all that is done about it.
  package static let enteringReport = EventReason(.deadline, 1, "entering-report")
  /// Coming in took too long; the controller goes on as if the state were in.
  package static let enteringForce = EventReason(.deadline, 2, "entering-force")
  /// Coming in took too long; the controller gives the visit up.
  package static let enteringSkip = EventReason(.deadline, 3, "entering-skip")
  /// Leaving took too long, and that is all that is done about it.
  package static let leavingReport = EventReason(.deadline, 4, "leaving-report")
  /// Leaving took too long; the controller goes on as if the state were out.
  package static let leavingForce = EventReason(.deadline, 5, "leaving-force")
  /// Leaving took too long; the controller gives the visit up.
  package static let leavingSkip = EventReason(.deadline, 6, "leaving-skip")

  /// When recording began, it was waiting.
  package static let stoodWaiting = EventReason(.stood, 1, "waiting")
  /// When recording began, it had been told to enter.
  package static let stoodEntering = EventReason(.stood, 2, "entering")
  /// When recording began, it had entered.
  package static let stoodEntered = EventReason(.stood, 3, "entered")
  /// When recording began, it had been told to exit.
  package static let stoodExiting = EventReason(.stood, 4, "exiting")
  /// When recording began, it had exited, and no other had been shown since.
  package static let stoodExited = EventReason(.stood, 5, "exited")

  /// It was put on top of a path; what lies below stays.
  package static let movedPush = EventReason(.moved, 1, "push")
  /// It was on top of a path and was taken away.
  package static let movedPop = EventReason(.moved, 2, "pop")

  /// Every reason there is.
  package static let all: [EventReason] = [
    rejected, replaced, coalesced, cancelled, timedOut, tornDown,
    strayEntered, strayExited, continues,
    cancelledVisit, cancelledAll, cancelledTearDown,
    enteringReport, enteringForce, enteringSkip, leavingReport, leavingForce, leavingSkip,
    stoodWaiting, stoodEntering, stoodEntered, stoodExiting, stoodExited,
    movedPush, movedPop,
  ]

  /// The reason with this code; none if the kind has no such code.
  package init?(kind: EventKind, code: UInt8) {
    guard let known = Self.all.first(where: { $0.kind == kind && $0.code == code }) else {
      return nil
    }
    self = known
  }
}

extension EventReason {
  /// How far a visit on the stage was when recording of its controller began; none if there was none.
  package init?(stood phase: Phase) {
    switch phase {
    case .empty: return nil
    case .entering: self = .stoodEntering
    case .entered: self = .stoodEntered
    case .exiting: self = .stoodExiting
    case .left: self = .stoodExited
    }
  }

  /// What the detail of an event says, as far as a code can.
  package init?(_ detail: TransitionEvent.Detail) {
    switch detail {
    case .none, .request, .step, .message: return nil
    case .change(.pushed): self = .movedPush
    case .change(.popped): self = .movedPop
    case .discard(let reason): self = Self.of(reason)
    case .completion(.entered): self = .strayEntered
    case .completion(.exited): self = .strayExited
    case .cancellation(.visit): self = .cancelledVisit
    case .cancellation(.all): self = .cancelledAll
    case .cancellation(.tearDown): self = .cancelledTearDown
    case .deadline(let awaited, let recovery): self = Self.of(awaited, recovery)
    }
  }

  private static func of(_ discard: DiscardReason) -> EventReason {
    switch discard {
    case .rejected: .rejected
    case .replaced: .replaced
    case .coalesced: .coalesced
    case .cancelled: .cancelled
    case .timedOut: .timedOut
    case .tornDown: .tornDown
    }
  }

  private static func of(_ awaited: Completion, _ recovery: DeadlineRecovery) -> EventReason {
    switch (awaited, recovery) {
    case (.entered, .report): .enteringReport
    case (.entered, .force): .enteringForce
    case (.entered, .skip): .enteringSkip
    case (.exited, .report): .leavingReport
    case (.exited, .force): .leavingForce
    case (.exited, .skip): .leavingSkip
    }
  }
}
