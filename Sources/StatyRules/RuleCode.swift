/// The name of an ordering rule, by which everybody calls it.
///
/// Codes are stable: one that has been given is never given to another rule.
public enum RuleCode: String, Hashable, Sendable, CaseIterable {
  /// A visit entered although it had been discarded or cancelled.
  case enteredDiscarded = "entered-discarded"
  /// A visit was told to leave although it had never come in.
  case exitBeforeEnter = "exit-before-enter"
  /// A visit was told to come in while another was on the stage.
  case overlap
  /// A visit was told to come in twice.
  case doubleEnter = "double-enter"
  /// A visit was told to leave twice, or its second exit was acted upon.
  case doubleExit = "double-exit"
  /// A visit was never told to come in, though nothing was in its way.
  case neverEntered = "never-entered"
  /// A visit was told to come in and never said that it was in.
  case neverArrived = "never-arrived"
  /// A visit was told to leave and never said that it was out.
  case neverExited = "never-exited"
  /// A visit entered before one whose turn came earlier, or exited from below another on a stack.
  case outOfOrder = "out-of-order"
  /// A visit came in where no declared route leads.
  case undeclaredTransition = "undeclared-transition"
  /// A request was made by a visit that was over.
  case staleRequest = "stale-request"
  /// A state took long to enter.
  case slowEnter = "slow-enter"
  /// A state took long to leave.
  case slowExit = "slow-exit"
  /// A request was made while the controller was telling a state to come in or to leave.
  case reentrantRequest = "reentrant-request"
  /// Another thread told the controller something while it was handling an input.
  case overlappingHandling = "overlapping-handling"
  /// A track moved about an answer to a message, after one to a newer message had been handled.
  case staleAnswer = "stale-answer"
  /// An element was put on a path right above an equal one.
  case doublePush = "double-push"

  /// How bad it is when the rule is broken.
  public var severity: Severity {
    switch self {
    case .enteredDiscarded, .exitBeforeEnter, .overlap, .doubleEnter, .doubleExit, .neverEntered,
      .neverArrived, .neverExited, .outOfOrder, .undeclaredTransition:
      .error
    case .staleRequest, .slowEnter, .slowExit, .reentrantRequest, .overlappingHandling,
      .staleAnswer, .doublePush:
      .warning
    }
  }

  /// The place of the code in lists.
  var place: Int { Self.allCases.firstIndex(of: self)! }
}

/// How bad a broken rule is.
public enum Severity: String, Hashable, Sendable, CaseIterable {
  /// The controller did what it must not do.
  case error
  /// It may be meant, and often is not.
  case warning
}

/// The rules as a whole.
enum OrderingRules {
  /// The number of this edition of the rules: findings of another are computed anew.
  static let version = 2
}
