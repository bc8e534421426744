import Staty
import StatyHistory

/// No other thread tells the controller anything while it handles an input.
enum OverlappingHandling: OrderingRule {
  static let code = RuleCode.overlappingHandling
  static let needs = Fidelity.full

  static func kinds(_ fidelity: Fidelity) -> KindSet {
    KindSet(
      .enqueued, .entering, .entered, .exiting, .exited, .discarded, .stray, .cancelled, .deadline)
  }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    let intruder = context.intruder
    guard intruder.seq != 0 else { return }
    found.report(
      Finding(
        code, seq: intruder.seq, controller: intruder.controller, visit: intruder.visit,
        state: intruder.state, .init(other: context.cause.visit, time: context.cause.seq)))
  }
}
