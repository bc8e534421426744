import Staty

/// A visit is told to leave only when it has come in.
///
/// A visit that a deadline gives up while it comes in is lawfully told to leave.
enum ExitBeforeEnter: OrderingRule {
  static let code = RuleCode.exitBeforeEnter
  static let needs = Fidelity.ordered

  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet(.exiting) }

  static func judge(_ moment: borrowing Moment, _ found: inout Found) {
    switch moment.subject {
    case .uncertain: return
    case .open: judge(moment.visit.past, moment, &found)
    case .gone:
      // How one that ended long ago had fared is not known.
      if let past = moment.past { judge(past, moment, &found) }
    }
  }

  private static func judge(
    _ past: VisitPast, _ moment: borrowing Moment, _ found: inout Found
  ) {
    if past.contains(.wasIn) || past.contains(.skipped) || past.contains(.exited) { return }
    found.report(
      moment.finding(code, .init(sentence: past.contains(.toldToEnter) ? 1 : 0)))
  }
}
