package import StatyRules

/// Why no test can be generated from a history.
package enum TestWriterError: Error, Equatable, CustomStringConvertible {
  /// The recording does not begin at the controller's beginning.
  case beginsLate
  /// Events are missing.
  case hasGaps
  /// The recording does not contain enough.
  case tellsTooLittle
  /// The recording has too many steps.
  case tooLong
  /// The recording contains something that a test cannot express.
  case unsaid(String, seq: Int64)
  /// The replay diverged at this event.
  case wentAnotherWay(seq: Int64)
  /// The rule is only a warning, and tests fail only for errors.
  case noError(RuleCode)
  /// The replay does not break the rule.
  case notReproduced(RuleCode)
  /// What the replayed controller did is in doubt.
  case inDoubt
  /// The controller that should be correct breaks a rule too.
  case notRight(String, RuleCode)

  /// The reason, in one sentence.
  package var description: String {
    switch self {
    case .beginsLate: "its recording does not begin at the controller's beginning."
    case .hasGaps: "events are missing in it."
    case .tellsTooLittle:
      "it was not recorded in full, so the calls in which events happened are unknown."
    case .tooLong: "it has more than 400 steps."
    case .unsaid(let what, let seq): "\(what) (event \(seq)), which a test cannot say."
    case .wentAnotherWay(let seq):
      "played again, the controller diverges at event \(seq)."
    case .noError(let code):
      "'\(code.rawValue)' may be right here, so a test of the rules does not fail for it."
    case .notReproduced(let code):
      "played again, the controller does not break the rule '\(code.rawValue)'."
    case .inDoubt: "played again, what the controller does is in doubt."
    case .notRight(let kind, let code):
      "'\(kind)', which should have the right order, breaks the rule '\(code.rawValue)' there, too."
    }
  }
}
