import Staty
import StatyHistory

/// A visit makes requests only before it has ended.
enum StaleRequest: OrderingRule {
  static let code = RuleCode.staleRequest
  static let needs = Fidelity.threeKind

  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet(.enqueued) }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    guard change.goneOrigin != 0 else { return }
    found.report(change.finding(code, .init(other: change.goneOrigin)))
  }
}
