import Staty
import StatyHistory

/// An element is not pushed directly above an equal one, as after a double tap.
enum DoublePush: OrderingRule {
  static let code = RuleCode.doublePush
  // Only tracks have `moved` events, and they report everything.
  static let needs = Fidelity.threeKind

  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet(.moved) }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    guard change.below != 0 else { return }
    found.report(change.finding(code, .init(other: change.below, otherState: change.row.state)))
  }
}
