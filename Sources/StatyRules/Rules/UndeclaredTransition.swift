import Staty

/// Where routes are declared, a visit comes in only if one leads to it from what was shown before.
///
/// Who left before it had arrived was shown too, so arrivals alone do not say enough.
enum UndeclaredTransition: OrderingRule {
  static let code = RuleCode.undeclaredTransition
  static let needs = Fidelity.ordered

  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet(.entering) }

  static func judge(_ moment: borrowing Moment, _ found: inout Found) {
    guard moment.undeclaredFrom >= 0 else { return }
    found.report(
      moment.finding(
        code,
        .init(otherState: moment.undeclaredFrom, sentence: moment.undeclaredFrom == 0 ? 0 : 1)))
  }
}
