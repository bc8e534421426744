import Staty
import StatyHistory

/// Where routes are declared, a visit comes in only if one leads to it from what was shown before.
///
/// Who left before it had arrived was shown too, so arrivals alone do not say enough.
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
