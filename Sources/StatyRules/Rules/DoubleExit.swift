import Staty
import StatyHistory

/// A visit is told to exit once and reports its exit once; a second exit has no consequence.
enum DoubleExit: OrderingRule {
  static let code = RuleCode.doubleExit
  static let needs = Fidelity.threeKind

  /// The sentences of the rule.
  enum Sentence: UInt8 {
    case toldTwice
    case toldWhenOver
    case reportedTwice
    case strayActedUpon
  }

  static func kinds(_ fidelity: Fidelity) -> KindSet {
    fidelity == .threeKind ? KindSet(.exited) : KindSet(.entering, .exiting, .exited, .discarded)
  }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    if change.row.kind == EventKind.exiting.rawValue {
      judgeTelling(change, &found)
    } else if change.row.kind == EventKind.exited.rawValue {
      if change.subject == .gone, change.past?.contains(.exited) == true {
        found.report(change.finding(code, .init(sentence: Sentence.reportedTwice.rawValue)))
      }
      return
    }
    judgeCause(change, in: context, &found)
  }

  private static func judgeTelling(_ change: borrowing VisitChange, _ found: inout Found) {
    switch change.subject {
    case .uncertain: return
    case .open:
      guard change.visit.past.contains(.toldToExit) else { return }
      found.report(change.finding(code, .init(sentence: Sentence.toldTwice.rawValue)))
    case .gone:
      // A visit that never entered breaks `exit-before-enter` instead.
      let past = change.past ?? .exited
      guard !past.contains(.skipped), past.contains(.exited) || past.contains(.hasEntered) else {
        return
      }
      found.report(change.finding(code, .init(sentence: Sentence.toldWhenOver.rawValue)))
    }
  }

  /// An output that is caused by a second exit: the controller has taken it for the first.
  private static func judgeCause(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    let cause = context.cause
    guard cause.kind == EventKind.stray.rawValue, cause.controller == change.row.controller,
      EventReason.strayCompletion(cause.reason) == .exited, cause.mayHaveExited
    else { return }
    found.report(
      Finding(
        code, seq: cause.seq, controller: cause.controller, visit: cause.visit, state: cause.state,
        .init(
          other: change.row.visit, otherState: change.row.state,
          sentence: Sentence.strayActedUpon.rawValue)))
  }
}
