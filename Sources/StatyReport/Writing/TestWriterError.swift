package import StatyRules

/// Why a history cannot be written down as a test.
package enum TestWriterError: Error, Equatable, CustomStringConvertible {
  /// Recording began when the controller was not at its beginning.
  case beginsLate
  /// Events are missing.
  case hasGaps
  /// It was recorded with less than all that a test says.
  case tellsTooLittle
  /// It has more steps than anybody would read.
  case tooLong
  /// This cannot be said in a test.
  case unsaid(String, seq: Int64)
  /// Played again, the controller went another way at this event.
  case wentAnotherWay(seq: Int64)
  /// This rule is no more than a warning, of which a test is not red.
  case noError(RuleCode)
  /// No rule is broken when the lines are played again.
  case notReproduced(RuleCode)
  /// The controller that is to be right breaks a rule, too.
  case notRight(String, RuleCode)

  /// What is in the way.
  package var description: String {
    switch self {
    case .beginsLate: "its recording does not begin at the controller's beginning."
    case .hasGaps: "events are missing in it."
    case .tellsTooLittle:
      "it was not recorded in full, so nobody knows what happened inside of what."
    case .tooLong: "it has more than 400 steps."
    case .unsaid(let what, let seq): "\(what) (event \(seq)), which a test cannot say."
    case .wentAnotherWay(let seq):
      "played again, the controller goes another way at event \(seq)."
    case .noError(let code): "'\(code.rawValue)' is a warning, and a test is of errors."
    case .notReproduced(let code):
      "played again, the controller does not break the rule '\(code.rawValue)'."
    case .notRight(let kind, let code):
      "'\(kind)', whose order is to be expected, breaks the rule '\(code.rawValue)' there, too."
    }
  }
}
