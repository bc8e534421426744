import StatyRules

/// The faults that the rules might find in a step.
struct Suspicion: OptionSet {
  let rawValue: UInt16

  static let exitBeforeEnter = Suspicion(rawValue: 1)
  static let overlap = Suspicion(rawValue: 2)
  static let doubleEnter = Suspicion(rawValue: 4)
  static let doubleExit = Suspicion(rawValue: 8)
  static let outOfOrder = Suspicion(rawValue: 16)
  static let undeclared = Suspicion(rawValue: 32)
  static let staleRequest = Suspicion(rawValue: 64)
  static let reentrantRequest = Suspicion(rawValue: 128)
  static let enteredDiscarded = Suspicion(rawValue: 512)
  /// Something that no rule is about by itself, but that may lead to a finding.
  static let unsound = Suspicion(rawValue: 256)
}

extension Suspicion {
  /// What to check if findings of these rules are wanted.
  init(_ codes: [RuleCode]) {
    self = .unsound
    for code in codes { insert(Self.about(code)) }
  }

  /// What may lead to a finding of a rule before the end; nothing for a rule that only the end or
  /// the time can break.
  private static func about(_ code: RuleCode) -> Suspicion {
    switch code {
    case .enteredDiscarded: .enteredDiscarded
    case .exitBeforeEnter: .exitBeforeEnter
    case .overlap: .overlap
    case .doubleEnter: .doubleEnter
    case .doubleExit: .doubleExit
    case .outOfOrder: .outOfOrder
    case .undeclaredTransition: .undeclared
    case .staleRequest: .staleRequest
    case .reentrantRequest: .reentrantRequest
    case .neverEntered, .neverArrived, .neverExited, .slowEnter, .slowExit, .overlappingHandling,
      .lateAnswer, .doublePush, .mirror, .askedTwice, .answeredTwice, .neverAnswered,
      .neverReceived, .uncausedChange, .neverLeft,
      .aliveTwice, .invariant:
      []
    }
  }
}
