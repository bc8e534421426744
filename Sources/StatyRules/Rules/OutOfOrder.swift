import Staty
import StatyHistory

/// Visits come in in the order in which they were asked for; with priorities, equally urgent ones.
enum OutOfOrder: OrderingRule {
  static let code = RuleCode.outOfOrder
  static let needs = Fidelity.threeKind

  static func kinds(_ fidelity: Fidelity) -> KindSet {
    fidelity == .threeKind ? KindSet(.entered) : KindSet(.entering)
  }

  static func judge(_ moment: borrowing Moment, _ found: inout Found) {
    guard moment.subject == .open, !moment.visit.isOnStage, moment.visit.jumper.seq != 0 else {
      return
    }
    let jumper = moment.visit.jumper
    found.report(
      Finding(
        code, seq: jumper.seq, controller: moment.row.controller, visit: jumper.visit,
        state: jumper.state, .init(other: moment.row.visit, otherState: moment.row.state)))
  }
}
