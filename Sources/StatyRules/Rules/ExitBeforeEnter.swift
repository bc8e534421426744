import Staty
import StatyHistory

/// A visit is told to exit only after it has entered.
///
/// A visit that a deadline skips may be told to exit while it is entering.
enum ExitBeforeEnter: OrderingRule {
  static let code = RuleCode.exitBeforeEnter
  static let needs = Fidelity.ordered

  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet(.exiting) }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    switch change.subject {
    case .uncertain: return
    case .open: judge(change.visit.past, change, &found)
    case .gone:
      // Nothing is known about a visit that ended long ago.
      if let past = change.past { judge(past, change, &found) }
    }
  }

  private static func judge(
    _ past: VisitPast, _ change: borrowing VisitChange, _ found: inout Found
  ) {
    if past.contains(.hasEntered) || past.contains(.skipped) || past.contains(.exited) { return }
    found.report(
      change.finding(code, .init(sentence: past.contains(.toldToEnter) ? 1 : 0)))
  }
}
