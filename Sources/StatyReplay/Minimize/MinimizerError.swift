public import StatyRules

/// Why nothing can be made smaller.
public enum MinimizerError: Error, Equatable, CustomStringConvertible {
  /// No rule is broken.
  case nothingBroken
  /// The rule is about what is not played again.
  case notPlayed(RuleCode)
  /// This tool cannot make the controller.
  case unknownController(String)
  /// Events are missing before it.
  case hasGaps(seq: Int64)
  /// Where the controller stood when its recording began cannot be taken up.
  case beginsLate
  /// It was recorded without what the controller told its states.
  case tellsTooLittle
  /// The time was over before the recording had been played once.
  case tooLong
  /// Played again, the rule is not broken at these visits.
  case notReproduced(RuleCode)

  /// What is in the way.
  public var description: String {
    switch self {
    case .nothingBroken: "no ordering rule is broken in it."
    case .notPlayed(.slowEnter), .notPlayed(.slowExit):
      "the rules 'slow-enter' and 'slow-exit' are about how long something takes, which is not played again."
    case .notPlayed(let code):
      "the rule '\(code.rawValue)' is about other threads, which are not played again."
    case .unknownController(let kind): "there is no controller of the kind '\(kind)' to play."
    case .hasGaps(let seq): "events are missing from \(seq) on, before the rule is broken."
    case .beginsLate: "its recording begins when the controller is at work."
    case .tellsTooLittle:
      "it was recorded without what the controller told its states, so that nobody knows when they "
        + "answered."
    case .tooLong: "its time was over before what was recorded had been played once."
    case .notReproduced(let code):
      "played again, the controller does not break the rule '\(code.rawValue)' there."
    }
  }
}
