import Staty
import StatyHistory

/// A visit that was discarded or cancelled before it was told to enter never enters.
enum EnteredDiscarded: OrderingRule {
  static let code = RuleCode.enteredDiscarded
  static let needs = Fidelity.threeKind

  static func kinds(_ fidelity: Fidelity) -> KindSet {
    fidelity == .threeKind ? KindSet(.entered) : KindSet(.entering)
  }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    switch change.subject {
    case .uncertain: return
    case .open:
      guard change.visit.past.contains(.cancelled), !change.visit.isOnStage else { return }
      found.report(change.finding(code, .init(sentence: 1)))
    case .gone:
      // A visit that was told to enter before breaks `double-enter` instead.
      guard let past = change.past, past.contains(.discarded), !past.contains(.toldToEnter) else {
        return
      }
      found.report(change.finding(code))
    }
  }
}
