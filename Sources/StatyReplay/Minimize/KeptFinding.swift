import Staty
import StatyHistory
package import StatyRules

/// The finding that a smaller run has to show, too.
///
/// A rule can be broken at the same visit for another reason, which is another bug: a tap tells a
/// state to exit too early, and so does the timer of the state before it. So the same input has to
/// set it off, and it has to be told in the same sentence.
package struct KeptFinding: Sendable {
  /// What identifies it.
  package let key: FindingKey
  private let finding: Finding
  private let trigger: Trigger?

  /// A finding of a run.
  init(_ finding: Finding, in run: ScheduleRun) {
    key = FindingKey(finding, in: run)
    self.finding = finding
    trigger = Trigger(of: finding, in: run)
  }

  /// Whether a finding of a run is the same, for the same reason.
  package func matches(_ other: Finding, in run: ScheduleRun) -> Bool {
    key.matches(other, in: run) && finding.happensLike(other)
      && Trigger(of: other, in: run) == trigger
  }
}

/// The input that sets off a finding.
private struct Trigger: Hashable {
  /// Whether it had a step put off that then did it.
  var isPutOff = false
  /// What kind of event the input is.
  var kind: UInt8
  /// The name of the message, if the input is one.
  var message: String?

  /// - Returns: `nil` if the finding is about what did not happen.
  init?(of finding: Finding, in run: ScheduleRun) {
    if finding.code.isAboutTheEnd { return nil }
    guard var input = run.input(around: finding.seq) else { return nil }
    while input.kind == EventKind.resumed.rawValue {
      isPutOff = true
      guard input.ownCause < input.seq, let earlier = run.input(around: input.ownCause) else {
        break
      }
      input = earlier
    }
    kind = input.kind
    message = kind == EventKind.received.rawValue ? run.names[input.state] : nil
  }
}

extension ScheduleRun {
  /// The outermost place in which an event happened, or the event itself.
  fileprivate func input(around seq: Int64) -> EventRow? {
    guard var row = log.row(seq) else { return nil }
    while row.inside != 0, row.inside < row.seq, let place = log.row(row.inside) { row = place }
    return row
  }
}
