import Staty
import StatyHistory

/// Visits enter in the order of their requests or the most urgent first, as the discipline says; on
/// a stack, the top one exits first.
enum OutOfOrder: OrderingRule {
  static let code = RuleCode.outOfOrder
  static let needs = Fidelity.threeKind

  /// The sentences of the rule.
  enum Sentence: UInt8 {
    case requestedLater
    case lessUrgent
    case exitsBelow
  }

  static func kinds(_ fidelity: Fidelity) -> KindSet {
    fidelity == .threeKind ? KindSet(.entered) : KindSet(.entering, .exiting)
  }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    guard change.subject == .open else { return }
    if change.row.kind == EventKind.exiting.rawValue {
      guard change.discipline == .stack, change.other != 0 else { return }
      let facts = Finding.Facts(
        other: change.other, otherState: change.otherState, sentence: Sentence.exitsBelow.rawValue)
      return found.report(change.finding(code, facts))
    }
    guard !change.visit.isOnStage, change.visit.jumper.seq != 0 else { return }
    let jumper = change.visit.jumper
    found.report(
      Finding(
        code, seq: jumper.seq, controller: change.row.controller, visit: jumper.visit,
        state: jumper.state,
        .init(
          other: change.row.visit, otherState: change.row.state,
          sentence: (jumper.visit > change.row.visit ? Sentence.requestedLater : .lessUrgent)
            .rawValue)))
  }
}
