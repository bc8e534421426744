public import StatyRules

extension RuleCode {
  /// Whether the rule is about something that can be replayed, and so explored and minimized.
  ///
  /// Durations and other threads cannot be replayed.
  public var isPlayed: Bool {
    switch self {
    case .slowEnter, .slowExit, .overlappingHandling: false
    default: true
    }
  }
}
