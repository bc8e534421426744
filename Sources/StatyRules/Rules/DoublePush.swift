import Staty
import StatyHistory

/// An element is not put on a path right above an equal one, as a button that is tapped twice does.
enum DoublePush: OrderingRule {
  static let code = RuleCode.doublePush
  // Tracks tell everything, and nothing else moves.
  static let needs = Fidelity.threeKind

  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet(.moved) }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    guard change.below != 0 else { return }
    found.report(change.finding(code, .init(other: change.below, otherState: change.row.state)))
  }
}
