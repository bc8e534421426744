import Staty
import StatyHistory

/// An answer changes nothing if a newer message was already answered: one of the same name, or with an
/// answer of the same name.
///
/// The message of an answer is known if a task carries it or the app passes it. A model that
/// ignores such an answer does not change and is correct.
enum StaleAnswer: OrderingRule {
  static let code = RuleCode.staleAnswer
  // Only tracks have `moved` events, and they report everything.
  static let needs = Fidelity.threeKind

  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet(.moved) }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    let (origin, newer) = change.staleAnswer
    guard origin != 0 else { return }
    found.report(change.finding(code, .init(time: origin, newer: newer)))
  }
}
