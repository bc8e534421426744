public import StatyRules

/// Why a recording cannot be minimized.
public enum MinimizerError: Error, Equatable, CustomStringConvertible {
  /// No rule is broken.
  case nothingBroken
  /// The rule is about something that cannot be replayed.
  case notPlayed(RuleCode)
  /// This tool cannot make the controller.
  case unknownController(String)
  /// Events are missing before it.
  case hasGaps(seq: Int64)
  /// The replay cannot continue from where the controller was when its recording began.
  case beginsLate
  /// The recording does not hold what the controller told its states.
  case tellsTooLittle
  /// The time was up before the recording had been played once.
  case tooLong
  /// The replay does not break the rule at these visits.
  case notReproduced(RuleCode)

  /// The reason in words.
  public var description: String {
    switch self {
    case .nothingBroken: "the rules find nothing in it."
    case .notPlayed(.slowEnter), .notPlayed(.slowExit):
      "the rules 'slow-enter' and 'slow-exit' are about how long something takes, which is not played again."
    case .notPlayed(let code):
      "the rule '\(code.rawValue)' is about other threads, which are not played again."
    case .unknownController(let kind): "there is no controller of the kind '\(kind)' to play."
    case .hasGaps(let seq): "events are missing from \(seq) on, before the rule is broken."
    case .beginsLate: "its recording begins when the controller is at work."
    case .tellsTooLittle:
      "it was recorded without what the controller told its states, so it is unknown when they "
        + "answered."
    case .tooLong: "its time was over before what was recorded had been played once."
    case .notReproduced(let code):
      "played again, the controller does not break the rule '\(code.rawValue)' there."
    }
  }
}
