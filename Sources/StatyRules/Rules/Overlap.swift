import Staty
import StatyHistory

/// One visit at a time is shown, unless the controller's discipline allows several.
enum Overlap: OrderingRule {
  static let code = RuleCode.overlap
  static let needs = Fidelity.threeKind

  static func kinds(_ fidelity: Fidelity) -> KindSet {
    fidelity == .threeKind ? KindSet(.entered) : KindSet(.entering)
  }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    guard change.discipline.showsOne, change.subject == .open, !change.visit.isOnStage,
      change.other != 0
    else { return }
    found.report(
      change.finding(code, .init(other: change.other, otherState: change.otherState)))
  }
}
