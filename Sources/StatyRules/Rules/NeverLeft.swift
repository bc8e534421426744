import Staty
import StatyHistory

/// A state that was declared to be left again is not shown any more when the recording ends.
///
/// A model that is released before, as one whose screen the user has left, is not judged.
enum NeverLeft: OrderingRule {
  static let code = RuleCode.neverLeft
  static let needs = Fidelity.threeKind

  static func judge(_ ending: borrowing VisitEnding, in end: EndContext, _ found: inout [Finding]) {
    let visit = ending.visit
    guard ending.isTransient, !ending.isDetached, visit.phase == .entered, !visit.isLost else {
      return
    }
    let since = visit.since
    let shown = ending.time &- since.time
    if shown >= end.patience { found.append(ending.finding(code, since, .init(time: shown))) }
  }
}
