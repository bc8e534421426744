import Staty
import StatyHistory

/// A visit that was told to exit reports that it has exited.
enum NeverExited: OrderingRule {
  static let code = RuleCode.neverExited
  static let needs = Fidelity.ordered

  static func judge(_ ending: borrowing VisitEnding, in end: EndContext, _ found: inout [Finding]) {
    let told = ending.visit.dismissed
    let waited = ending.time &- told.time
    guard ending.visit.phase == .exiting, told.seq != 0, waited >= end.patience,
      !ending.visit.past.contains(.awaitsUser)
    else { return }
    found.append(ending.finding(code, told, .init(time: waited)))
  }
}
