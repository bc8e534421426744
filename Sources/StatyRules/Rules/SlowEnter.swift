import Staty
import StatyHistory

/// A state that is told to enter enters within the time limit.
enum SlowEnter: OrderingRule {
  static let code = RuleCode.slowEnter
  static let needs = Fidelity.ordered

  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet(.entered) }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    guard change.subject == .open, change.visit.phase == .entering, change.visit.told.seq != 0
    else { return }
    let taken = change.row.time &- change.visit.told.time
    if taken > context.slowEnter { found.report(change.finding(code, .init(time: taken))) }
  }
}
