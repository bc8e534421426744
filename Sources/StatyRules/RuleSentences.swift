extension RuleCode {
  /// The rule in one sentence, which is also the text of the reference.
  public var sentence: String {
    switch self {
    case .enteredDiscarded: "A visit that was discarded or cancelled does not enter."
    case .exitBeforeEnter: "A visit is told to leave only when it has come in."
    case .overlap:
      "One visit at a time is on the stage, unless the controller's discipline shows several."
    case .doubleEnter:
      "A visit is told to come in once; where only that it is in is recorded, it is in once."
    case .doubleExit:
      "A visit is told to leave once and says once that it is out; a second exit has no consequence."
    case .neverEntered: "A visit that waits is told to come in once nothing is in its way."
    case .neverArrived: "A visit that was told to come in says that it is in."
    case .neverExited: "A visit that was told to leave says that it is out."
    case .outOfOrder:
      "Visits enter in the order of their requests, or the most urgent first, as the discipline says; on a "
        + "stack the one on top exits first."
    case .undeclaredTransition:
      "Where routes are declared, a visit comes in only if one leads to it from what was shown before."
    case .staleRequest: "Who asks is not over yet."
    case .slowEnter: "A state that is told to enter has entered soon."
    case .slowExit: "A state that is told to leave is out soon."
    case .reentrantRequest:
      "Nobody asks while the controller is telling a state to come in or to leave."
    case .overlappingHandling:
      "Nobody tells the controller anything from another thread while it handles an input."
    case .staleAnswer:
      "An answer changes nothing if an answer of the same name to a newer message was handled before."
    case .doublePush: "An element is not put on a path right above an equal one."
    }
  }
}
