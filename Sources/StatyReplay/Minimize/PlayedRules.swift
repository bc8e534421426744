public import StatyRules

extension RuleCode {
  /// Whether the rule is about something that can be replayed, and so explored and minimized.
  ///
  /// Durations, other threads and what tracks do about messages cannot be replayed.
  public var isPlayed: Bool {
    switch self {
    case .slowEnter, .slowExit, .overlappingHandling, .staleAnswer, .doublePush: false
    default: true
    }
  }
}
