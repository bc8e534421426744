/// The code of an ordering rule.
///
/// Codes are stable: a code is never used for another rule.
public enum RuleCode: String, Hashable, Sendable, CaseIterable {
  /// A visit entered after it had been discarded or cancelled.
  case enteredDiscarded = "entered-discarded"
  /// A visit was told to exit before it had entered.
  case exitBeforeEnter = "exit-before-enter"
  /// A visit was told to enter while another one was shown.
  case overlap
  /// A visit was told to enter twice.
  case doubleEnter = "double-enter"
  /// A visit was told to exit twice, or the controller reacted to its second exit.
  case doubleExit = "double-exit"
  /// A pending visit was never told to enter, although it could.
  ///
  /// ``neverArrived`` is about a visit that was told.
  case neverEntered = "never-entered"
  /// A visit was told to enter and never reported that it had entered.
  ///
  /// ``neverEntered`` is about a visit that was not told.
  case neverArrived = "never-arrived"
  /// A visit was told to exit and never reported that it had exited.
  case neverExited = "never-exited"
  /// Visits entered in the wrong order, or a visit of a stack exited before the one above it.
  case outOfOrder = "out-of-order"
  /// A visit entered although no declared route leads to it.
  case undeclaredTransition = "undeclared-transition"
  /// A visit made a request after it had ended.
  case staleRequest = "stale-request"
  /// A state took a long time to enter.
  case slowEnter = "slow-enter"
  /// A state took a long time to exit.
  case slowExit = "slow-exit"
  /// A request was made while the controller was telling a state to enter or to exit.
  case reentrantRequest = "reentrant-request"
  /// Another thread told the controller something while it was handling an input.
  case overlappingHandling = "overlapping-handling"
  /// A track changed after an answer, although a newer message was answered before, or a message
  /// from outside has changed it since.
  case lateAnswer = "late-answer"
  /// An element was pushed directly above an equal one.
  case doublePush = "double-push"
  /// Two tracks that mirror each other were at rest and showed different things.
  case mirror
  /// A message was sent again before it was answered.
  case askedTwice = "asked-twice"
  /// A message was answered a second time in the same way.
  case answeredTwice = "answered-twice"
  /// A message was not answered, although others of its name were.
  case neverAnswered = "never-answered"
  /// A message was sent to a track more often than it was received.
  case neverReceived = "never-received"
  /// A track changed outside of any message.
  case uncausedChange = "uncaused-change"
  /// Two tracks of one name were there at the same time.
  case aliveTwice = "alive-twice"
  /// A state that was declared to be left again was still shown when the recording ended.
  case neverLeft = "never-left"
  /// A condition of the app's own does not hold.
  ///
  /// A recording does not know it: it is given where the registry makes the model.
  case invariant

  /// The severity of a finding; some findings of a rule are milder, or more severe.
  public var severity: Severity {
    switch self {
    case .enteredDiscarded, .exitBeforeEnter, .overlap, .doubleEnter, .doubleExit, .neverEntered,
      .neverArrived, .neverExited, .outOfOrder, .undeclaredTransition, .invariant:
      .error
    case .staleRequest, .slowEnter, .slowExit, .reentrantRequest, .overlappingHandling,
      .lateAnswer, .doublePush, .mirror:
      .warning
    case .askedTwice, .answeredTwice, .neverAnswered, .neverReceived, .uncausedChange, .neverLeft,
      .aliveTwice:
      .note
    }
  }

  /// Whether a finding counts where a search, a verdict or a test names no rules.
  ///
  /// These are the errors, and what tracks do about messages: a model that ignores a stale answer
  /// or a second tap is right, and its moves say so.
  package var isSought: Bool {
    severity == .error || self == .lateAnswer || self == .doublePush || self == .mirror
  }

  /// The place of the code in lists.
  var place: Int { Self.allCases.firstIndex(of: self)! }
}

/// The severity of a broken rule.
public enum Severity: String, Hashable, Sendable, CaseIterable {
  /// The controller is wrong.
  case error
  /// It may be intended, but often is not.
  case warning
  /// It is worth a look, and may well be right.
  case note

  /// All, in words.
  package static let words = "'error', 'warning' or 'note'"
}
