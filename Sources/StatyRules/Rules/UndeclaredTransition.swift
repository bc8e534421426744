import Staty
import StatyHistory

/// If routes are declared, a visit enters only if a route leads to it from the state before.
///
/// A state that exited before it had entered was shown too, so `entered` events alone are not
/// enough.
enum UndeclaredTransition: OrderingRule {
  static let code = RuleCode.undeclaredTransition
  static let needs = Fidelity.ordered

  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet(.entering, .moved) }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    guard change.undeclaredFrom >= 0 else { return }
    found.report(
      change.finding(
        code,
        .init(otherState: change.undeclaredFrom, sentence: change.undeclaredFrom == 0 ? 0 : 1)))
  }
}
