import Staty
import StatyHistory

/// Nobody asks while the controller is telling a state to come in or to leave.
enum ReentrantRequest: OrderingRule {
  static let code = RuleCode.reentrantRequest
  static let needs = Fidelity.full

  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet(.enqueued) }

  static func judge(_ moment: borrowing Moment, _ found: inout Found) {
    let cause = moment.cause
    let isExit = cause.kind == EventKind.exiting.rawValue
    guard cause.controller == moment.row.controller,
      isExit || cause.kind == EventKind.entering.rawValue
    else { return }
    found.report(
      moment.finding(
        code, .init(other: cause.visit, otherState: cause.state, sentence: isExit ? 1 : 0)))
  }
}
