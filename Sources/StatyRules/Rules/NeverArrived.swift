import Staty
import StatyHistory

/// A visit that was told to enter reports that it has entered.
enum NeverArrived: OrderingRule {
  static let code = RuleCode.neverArrived
  static let needs = Fidelity.ordered

  static func judge(_ ending: borrowing VisitEnding, in end: EndContext, _ found: inout [Finding]) {
    let told = ending.visit.told
    let waited = ending.time &- told.time
    // A visit that was told to exit early and then reported its enter is not late.
    guard ending.visit.phase == .entering, !ending.visit.past.contains(.reportedEntered),
      told.seq != 0,
      waited >= end.patience
    else { return }
    found.append(ending.finding(code, told, .init(time: waited)))
  }
}
