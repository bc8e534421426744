public import StatyRules

extension RuleCode {
  /// Whether it is about what is played again, and so can be explored and made smaller.
  ///
  /// How long something takes and what other threads do is not, nor what tracks do about messages.
  public var isPlayed: Bool {
    switch self {
    case .slowEnter, .slowExit, .overlappingHandling, .staleAnswer, .doublePush: false
    default: true
    }
  }
}
