import Staty
import StatyHistory

/// No request is made while the controller is telling a state to enter or to exit.
enum ReentrantRequest: OrderingRule {
  static let code = RuleCode.reentrantRequest
  static let needs = Fidelity.full

  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet(.enqueued) }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    let cause = context.cause
    let isExit = cause.kind == EventKind.exiting.rawValue
    guard cause.controller == change.row.controller,
      isExit || cause.kind == EventKind.entering.rawValue
    else { return }
    found.report(
      change.finding(
        code, .init(other: cause.visit, otherState: cause.state, sentence: isExit ? 1 : 0)))
  }
}
