import Staty
import StatyHistory

/// An answer changes nothing if a newer message of the same name was answered before, or if a message
/// of the user's has changed the track since the question.
///
/// The message of an answer is known if a task carries it or the app passes it. A model that
/// ignores such an answer does not change and is correct. Two questions whose answers cross are no
/// finding.
enum LateAnswer: OrderingRule {
  static let code = RuleCode.lateAnswer
  // Only tracks have `moved` events, and they report everything.
  static let needs = Fidelity.threeKind

  /// Which sentence is used.
  enum Sentence: UInt8 {
    case outOfDate
    case behindUser
  }

  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet(.moved) }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    let late = change.lateAnswer
    guard late.question != 0 else { return }
    found.report(change.finding(code, .init(time: late.question, newer: late.newer)))
  }

  /// What comes behind the user's message may still turn out to cross it, until the end.
  static func judge(_ ending: borrowing VisitEnding, in end: EndContext, _ found: inout [Finding]) {
    found += ending.lateAnswers.map { late in
      Finding(
        code, seq: late.seq, controller: ending.controller, visit: late.visit, state: late.state,
        .init(time: late.question, newer: late.newer, sentence: Sentence.behindUser.rawValue))
    }
  }
}
