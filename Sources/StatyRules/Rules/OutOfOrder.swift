import Staty
import StatyHistory

/// Visits come in in the order in which they were asked for; with priorities, equally urgent ones.
enum OutOfOrder: OrderingRule {
  static let code = RuleCode.outOfOrder
  static let needs = Fidelity.threeKind

  static func kinds(_ fidelity: Fidelity) -> KindSet {
    fidelity == .threeKind ? KindSet(.entered) : KindSet(.entering)
  }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    guard change.subject == .open, !change.visit.isOnStage, change.visit.jumper.seq != 0 else {
      return
    }
    let jumper = change.visit.jumper
    found.report(
      Finding(
        code, seq: jumper.seq, controller: change.row.controller, visit: jumper.visit,
        state: jumper.state, .init(other: change.row.visit, otherState: change.row.state)))
  }
}
