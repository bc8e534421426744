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

  /// Whether a search is for the rule if it names none.
  ///
  /// These are the errors, and what tracks do about messages: a model that ignores a stale answer
  /// or a second tap is right, and its moves say so.
  package var isSought: Bool {
    severity == .error || self == .staleAnswer || self == .doublePush
  }
}
