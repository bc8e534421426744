import Staty
import StatyHistory

/// An answer changes nothing if an answer of the same name to a newer message was handled before.
///
/// Which message an answer belongs to is known where a task carries it, or where the app says so. A model
/// that passes over such an answer does not move, and is right.
enum StaleAnswer: OrderingRule {
  static let code = RuleCode.staleAnswer
  // Tracks tell everything, and nothing else moves.
  static let needs = Fidelity.threeKind

  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet(.moved) }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    guard change.staleOrigin != 0 else { return }
    found.report(change.finding(code, .init(time: change.staleOrigin)))
  }
}
