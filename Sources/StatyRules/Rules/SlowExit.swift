import Staty
import StatyHistory

/// A state that is told to exit exits within the time limit.
enum SlowExit: OrderingRule {
  static let code = RuleCode.slowExit
  static let needs = Fidelity.ordered

  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet(.exited) }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    guard change.subject == .open, change.visit.phase == .exiting, change.visit.dismissed.seq != 0,
      !change.visit.past.contains(.awaitsUser)
    else { return }
    let taken = change.row.time &- change.visit.dismissed.time
    if taken > context.slowExit { found.report(change.finding(code, .init(time: taken))) }
  }
}
