import Staty
import StatyHistory

/// A visit is told to leave once and says once that it is out; a second exit has no consequence.
enum DoubleExit: OrderingRule {
  static let code = RuleCode.doubleExit
  static let needs = Fidelity.threeKind

  /// Which of the rule's sentences says it.
  enum Sentence: UInt8 {
    case toldTwice
    case toldWhenOver
    case saidTwice
    case strayActedUpon
  }

  static func kinds(_ fidelity: Fidelity) -> KindSet {
    fidelity == .threeKind ? KindSet(.exited) : KindSet(.entering, .exiting, .exited, .discarded)
  }

  static func judge(_ moment: borrowing Moment, _ found: inout Found) {
    if moment.row.kind == EventKind.exiting.rawValue {
      judgeTelling(moment, &found)
    } else if moment.row.kind == EventKind.exited.rawValue {
      if moment.subject == .gone, moment.past?.contains(.exited) == true {
        found.report(moment.finding(code, .init(sentence: Sentence.saidTwice.rawValue)))
      }
      return
    }
    judgeCause(moment, &found)
  }

  private static func judgeTelling(_ moment: borrowing Moment, _ found: inout Found) {
    switch moment.subject {
    case .uncertain: return
    case .open:
      guard moment.visit.past.contains(.toldToLeave) else { return }
      found.report(moment.finding(code, .init(sentence: Sentence.toldTwice.rawValue)))
    case .gone:
      // One that was never in is the business of `exit-before-enter`.
      let past = moment.past ?? .exited
      guard !past.contains(.skipped), past.contains(.exited) || past.contains(.wasIn) else {
        return
      }
      found.report(moment.finding(code, .init(sentence: Sentence.toldWhenOver.rawValue)))
    }
  }

  /// An output in the handling of a second exit: the controller has taken it for a first.
  private static func judgeCause(_ moment: borrowing Moment, _ found: inout Found) {
    let cause = moment.cause
    guard cause.kind == EventKind.stray.rawValue, cause.controller == moment.row.controller,
      cause.reason == EventReason.strayExited.code
    else { return }
    found.report(
      Finding(
        code, seq: cause.seq, controller: cause.controller, visit: cause.visit, state: cause.state,
        .init(
          other: moment.row.visit, otherState: moment.row.state,
          sentence: Sentence.strayActedUpon.rawValue)))
  }
}
