package import Staty

/// What an event says beyond its kind, in one of 7 codes that each kind numbers for itself.
///
/// The codes are part of the file format, like the numbers of the kinds. Code 0 means none.
package struct EventReason: Hashable, Sendable {
  /// The kind of event that may have this reason.
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
  /// The request before it requests the same.
  static let coalesced = EventReason(.discarded, 3, "coalesced")
  /// The visit was cancelled.
  package static let cancelled = EventReason(.discarded, 4, "cancelled")
  /// It exceeded its deadline.
  package static let timedOut = EventReason(.discarded, 5, "timed-out")
  /// The controller was torn down, or the view for its states is gone.
  package static let tornDown = EventReason(.discarded, 6, "torn-down")

  /// It entered, and it was told that this was done to the end.
  static let enteredFinished = EventReason(.entered, 1, "finished")
  /// It entered, and this was not done to the end.
  static let enteredUnfinished = EventReason(.entered, 2, "unfinished")
  /// It exited, and it was told that this was done to the end.
  static let exitedFinished = EventReason(.exited, 1, "finished")
  /// It exited, and this was not done to the end.
  static let exitedUnfinished = EventReason(.exited, 2, "unfinished")

  /// A stray completion reported `entered`.
  package static let strayEntered = EventReason(.stray, 1, "entered")
  /// A stray completion reported `exited`.
  package static let strayExited = EventReason(.stray, 2, "exited")
  /// A stray completion reported `entered`, not done to the end.
  static let strayEnteredUnfinished = EventReason(.stray, 3, "entered-unfinished")
  /// A stray completion reported `exited`, not done to the end.
  static let strayExitedUnfinished = EventReason(.stray, 4, "exited-unfinished")

  /// Its recording goes on: in the next session or, behind lost events, at the next `attached`.
  package static let continues = EventReason(.detached, 1, "continues")

  /// One visit was cancelled.
  package static let cancelledVisit = EventReason(.cancelled, 1, "visit")
  /// Every open visit was cancelled.
  package static let cancelledAll = EventReason(.cancelled, 2, "all")
  /// The controller was torn down.
  package static let cancelledTearDown = EventReason(.cancelled, 3, "tear-down")

  /// Entering exceeded its deadline, which is only reported.
  package static let enteringReport = EventReason(.deadline, 1, "entering-report")
  /// Entering exceeded its deadline; the controller continues as if the state had entered.
  package static let enteringForce = EventReason(.deadline, 2, "entering-force")
  /// Entering exceeded its deadline; the controller ends the visit.
  package static let enteringSkip = EventReason(.deadline, 3, "entering-skip")
  /// Exiting exceeded its deadline, which is only reported.
  package static let exitingReport = EventReason(.deadline, 4, "exiting-report")
  /// Exiting exceeded its deadline; the controller continues as if the state had exited.
  package static let exitingForce = EventReason(.deadline, 5, "exiting-force")
  /// Exiting exceeded its deadline; the controller ends the visit.
  package static let exitingSkip = EventReason(.deadline, 6, "exiting-skip")

  /// When recording began, it was waiting.
  package static let stoodWaiting = EventReason(.stood, 1, "waiting")
  /// When recording began, it had been told to enter.
  package static let stoodEntering = EventReason(.stood, 2, "entering")
  /// When recording began, it had entered.
  package static let stoodEntered = EventReason(.stood, 3, "entered")
  /// When recording began, it had been told to exit.
  package static let stoodExiting = EventReason(.stood, 4, "exiting")
  /// When recording began, it had exited, and no other visit had been shown since.
  package static let stoodExited = EventReason(.stood, 5, "exited")

  /// It was pushed onto a path; the elements below stay.
  package static let movedPush = EventReason(.moved, 1, "push")
  /// It was on top of a path and was popped.
  package static let movedPop = EventReason(.moved, 2, "pop")

  /// All reasons.
  package static let all: [EventReason] = [
    rejected, replaced, coalesced, cancelled, timedOut, tornDown,
    enteredFinished, enteredUnfinished, exitedFinished, exitedUnfinished,
    strayEntered, strayExited, strayEnteredUnfinished, strayExitedUnfinished, continues,
    cancelledVisit, cancelledAll, cancelledTearDown,
    enteringReport, enteringForce, enteringSkip, exitingReport, exitingForce, exitingSkip,
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
  /// The phase that a visit on the stage had when recording of its controller began; none if there
  /// was none.
  package init?(stood phase: Phase) {
    switch phase {
    case .empty: return nil
    case .entering: self = .stoodEntering
    case .entered: self = .stoodEntered
    case .exiting: self = .stoodExiting
    case .exited: self = .stoodExited
    }
  }

  /// The reason in the detail of an event, if a code can express it.
  package init?(_ detail: TransitionEvent.Detail, of kind: EventKind) {
    switch detail {
    case .none, .request, .step, .message, .showing, .awaitsUser: return nil
    case .change(.pushed): self = .movedPush
    case .change(.popped): self = .movedPop
    case .discard(let reason): self = Self.of(reason)
    case .completion(.entered, false): self = .strayEnteredUnfinished
    case .completion(.exited, false): self = .strayExitedUnfinished
    case .completion(.entered, _): self = .strayEntered
    case .completion(.exited, _): self = .strayExited
    case .finished(true): self = kind == .entered ? .enteredFinished : .exitedFinished
    case .finished(false): self = kind == .entered ? .enteredUnfinished : .exitedUnfinished
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
    case (.exited, .report): .exitingReport
    case (.exited, .force): .exitingForce
    case (.exited, .skip): .exitingSkip
    }
  }
}

// For events from a ring, whatever wrote it: with a code that no version has written, every reader
// would report the file as damaged.
extension EventReason {
  /// What an unexpected completion with this code reports; `nil` if that is not known.
  package static func strayCompletion(_ code: UInt8) -> Completion? {
    switch EventReason(kind: .stray, code: code) {
    case .strayEntered, .strayEnteredUnfinished: .entered
    case .strayExited, .strayExitedUnfinished: .exited
    default: nil
    }
  }
}

extension EventRow {
  /// What happened: `discarded (replaced)`.
  package var happening: String {
    guard let known = EventKind(rawValue: kind) else { return "kind \(kind)?" }
    guard reason != 0 else { return known.text }
    return "\(known.text) (\(EventReason(kind: known, code: reason)?.text ?? "reason \(reason)?"))"
  }

  /// What an unexpected completion reports; `nil` if the event is none.
  package var strayCompletion: Completion? {
    kind == EventKind.stray.rawValue ? EventReason.strayCompletion(reason) : nil
  }

  /// Whether a completion was done to the end; `nil` if that was not told.
  package var isFinished: Bool? {
    // Few events have one, and a replay asks this of each.
    guard reason != 0, let kind = EventKind(rawValue: kind) else { return nil }
    return switch EventReason(kind: kind, code: reason) {
    case .enteredFinished, .exitedFinished: true
    case .enteredUnfinished, .exitedUnfinished, .strayEnteredUnfinished, .strayExitedUnfinished:
      false
    default: nil
    }
  }

  /// Whether its reason, if it has one, belongs to its kind.
  package var hasKnownReason: Bool {
    reason == 0 || EventKind(rawValue: kind).flatMap { EventReason(kind: $0, code: reason) } != nil
  }
}

extension EventDetail {
  /// Removes codes that no version has written.
  package mutating func forgetUnknownCodes() {
    if objection != 0, Objection(rawValue: objection) == nil { objection = 0 }
    if refusal != 0, !RefusalRecord.words.contains(where: { $0.value == refusal }) { refusal = 0 }
  }
}
