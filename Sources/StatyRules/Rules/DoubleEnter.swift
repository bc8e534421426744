import Staty
import StatyHistory

/// A visit is told to come in once; where only that it is in is recorded, it is in once.
enum DoubleEnter: OrderingRule {
  static let code = RuleCode.doubleEnter
  static let needs = Fidelity.threeKind

  static func kinds(_ fidelity: Fidelity) -> KindSet {
    fidelity == .threeKind ? KindSet(.entered, .stray) : KindSet(.entering)
  }

  static func judge(_ moment: borrowing Moment, _ found: inout Found) {
    let past: VisitPast
    switch moment.subject {
    case .uncertain: return
    case .open: past = moment.visit.past
    case .gone: past = moment.past ?? []
    }
    let first = moment.fidelity == .threeKind ? VisitPast.wasIn : .toldToEnter
    guard past.contains(first), !isExit(moment) else { return }
    found.report(
      moment.finding(code, .init(sentence: moment.subject == .gone ? 1 : 0)))
  }

  private static func isExit(_ moment: borrowing Moment) -> Bool {
    if moment.row.kind != EventKind.stray.rawValue { return false }
    return moment.row.reason != EventReason.strayEntered.code
  }
}
