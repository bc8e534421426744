import Staty
import StatyHistory

/// A state that is told to leave is out soon.
enum SlowExit: OrderingRule {
  static let code = RuleCode.slowExit
  static let needs = Fidelity.ordered

  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet(.exited) }

  static func judge(_ moment: borrowing Moment, _ found: inout Found) {
    guard moment.subject == .open, moment.visit.phase == .exiting, moment.visit.dismissed.seq != 0
    else { return }
    let taken = moment.row.time &- moment.visit.dismissed.time
    if taken > moment.slowExit { found.report(moment.finding(code, .init(time: taken))) }
  }
}
