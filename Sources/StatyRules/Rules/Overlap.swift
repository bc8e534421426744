import Staty

/// One visit at a time is on the stage, unless the policy shows everybody at once.
enum Overlap: OrderingRule {
  static let code = RuleCode.overlap
  static let needs = Fidelity.threeKind

  static func kinds(_ fidelity: Fidelity) -> KindSet {
    fidelity == .threeKind ? KindSet(.entered) : KindSet(.entering)
  }

  static func judge(_ moment: borrowing Moment, _ found: inout Found) {
    guard moment.discipline != .atOnce, moment.subject == .open, !moment.visit.isOnStage,
      moment.other != 0
    else { return }
    found.report(
      moment.finding(code, .init(other: moment.other, otherState: moment.otherState)))
  }
}
