extension ReplayDoubt {
  /// Why a controller cannot be tested so, and what to do.
  var sentence: String {
    switch self {
    case .cannotBeTold:
      "What made the controller has no way of telling it that somebody cancels. Hand `cancel` over "
        + "where it is made a subject of."
    case .runaway: "The controller goes on and on by itself. Look there for a loop."
    case .unknownController(_, let policy):
      "The scenario has a controller of the kind '\(policy)', which the registry does not make."
    case .lateAttachment:
      "The scenario begins with the controller at work, which cannot be taken up from outside."
    default: "The recording that the scenario was made of leaves this open: \(self)."
    }
  }
}
