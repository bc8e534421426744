public import StatyRules

extension RuleCode {
  /// Whether it is about what is played again, and so can be explored and made smaller.
  ///
  /// How long something takes and what other threads do is not.
  public var isPlayed: Bool { self != .slowExit && self != .overlappingHandling }
}
