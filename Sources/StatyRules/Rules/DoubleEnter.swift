import Staty
import StatyHistory

/// A visit is told to enter once.
///
/// In a three-kind recording, it enters once.
enum DoubleEnter: OrderingRule {
  static let code = RuleCode.doubleEnter
  static let needs = Fidelity.threeKind

  static func kinds(_ fidelity: Fidelity) -> KindSet {
    fidelity == .threeKind ? KindSet(.entered, .stray) : KindSet(.entering)
  }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    let past: VisitPast
    switch change.subject {
    case .uncertain: return
    case .open: past = change.visit.past
    case .gone: past = change.past ?? []
    }
    let first = change.fidelity == .threeKind ? VisitPast.hasEntered : .toldToEnter
    guard past.contains(first), !isExit(change) else { return }
    // Only in a three-kind recording is a late report a second entry.
    if change.row.kind == EventKind.stray.rawValue, !change.isVerified { return }
    found.report(
      change.finding(code, .init(sentence: change.subject == .gone ? 1 : 0)))
  }

  private static func isExit(_ change: borrowing VisitChange) -> Bool {
    change.row.kind == EventKind.stray.rawValue && change.row.strayCompletion != .entered
  }
}
