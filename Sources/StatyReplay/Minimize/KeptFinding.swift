import Staty
import StatyHistory
package import StatyRules

/// The finding that a smaller run has to show, too.
///
/// A rule can be broken at the same visit for another reason, which is another bug: a tap tells a
/// state to exit too early, and so does the timer of the state before it. So the same kind of input
/// has to set it off, and it has to be told in the same sentence.
package struct KeptFinding: Sendable {
  /// What identifies it.
  package let key: FindingKey
  private let finding: Finding
  /// What set it off; `nil` if that is not known, or nothing did.
  private let trigger: FindingTrigger?

  /// What was found in a recording.
  init(_ finding: Finding, _ key: FindingKey, _ trigger: FindingTrigger?) {
    (self.key, self.finding, self.trigger) = (key, finding, trigger)
  }

  /// What was found in a run.
  init(_ finding: Finding, in run: ScheduleRun) {
    self.init(finding, FindingKey(finding, in: run), FindingTrigger(of: finding, in: run))
  }

  /// Whether a finding of a run is the same, for the same reason.
  ///
  /// If the rule was broken there before, that was for another reason.
  package func matches(_ other: Finding, in run: ScheduleRun) -> Bool {
    guard key.matches(other, in: run), finding.happensLike(other) else { return false }
    if trigger == nil { return true }
    let first = run.certain.first { key.matches($0, in: run) }
    return (first == nil || first == other) && FindingTrigger(of: other, in: run) == trigger
  }
}

/// The kind of input that sets off a finding.
///
/// Requests and the reports of states are of one kind: a controller may do the same at either, once
/// fewer states are there to wait for.
struct FindingTrigger: Hashable {
  private enum Input: Hashable {
    /// A message of this name.
    case message(String?)
    case cancellation
    case deadline
    /// A request, or what a state reports.
    case other
  }

  private var input: Input
  /// Whether the controller had put off the step that did it.
  private var isPutOff = false

  /// - Parameters:
  ///   - event: gives the event with a number.
  ///   - name: gives a name by its number.
  /// - Returns: `nil` if the finding is about what did not happen, or about a condition, which any
  ///   event can end.
  init?(
    of finding: Finding, event: (Int64) throws -> EventRow?, name: (Int32) -> String?
  ) rethrows {
    guard !finding.code.isAboutTheEnd, finding.code != .invariant,
      var row = try event(finding.seq)
    else { return nil }
    while true {
      let isStep = row.kind == EventKind.resumed.rawValue
      if isStep { isPutOff = true }
      let next = isStep ? row.ownCause : row.inside
      // In a damaged file, places may form a circle.
      guard next != 0, next < row.seq, let place = try event(next) else { break }
      row = place
    }
    input =
      switch EventKind(rawValue: row.kind) {
      case .received: .message(name(row.state))
      case .cancelled: .cancellation
      case .deadline: .deadline
      default: .other
      }
  }

  /// The trigger of what was found in a run.
  init?(of finding: Finding, in run: ScheduleRun) {
    self.init(of: finding) {
      run.log.row($0)
    } name: {
      run.names[$0]
    }
  }
}
