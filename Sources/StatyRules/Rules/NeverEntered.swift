import Staty
import StatyHistory

/// A pending visit is told to enter when it can, and before visits that were requested later.
enum NeverEntered: OrderingRule {
  static let code = RuleCode.neverEntered
  static let needs = Fidelity.ordered

  /// The sentences of the rule.
  enum Sentence: UInt8 {
    case overtaken
    case stageEmpty
    case nothingExits
    case passedOver
    case nothingInItsWay
    case behindOpen
    case toldTooEarly
  }

  /// The sentence that is only worth a look.
  static let noteSentence = Sentence.behindOpen.rawValue

  /// Whether a sentence is about a state that was told to exit too early.
  static func isOfExits(_ sentence: UInt8) -> Bool { sentence == Sentence.toldTooEarly.rawValue }

  static func judge(_ ending: borrowing VisitEnding, in end: EndContext, _ found: inout [Finding]) {
    guard ending.visit.phase == .waiting, ending.visit.asked.seq != 0 else { return }
    let jumper = ending.visit.jumper
    if jumper.seq != 0 {
      let sentence = jumper.visit > ending.visit.visit ? Sentence.overtaken : .passedOver
      report(ending, sentence, other: jumper.visit, jumper.state, &found)
    } else if isFree(ending), isProven(ending, end) {
      let sentence: Sentence
      switch (ending.shown, ending.discipline.showsOne) {
      case (0, _): sentence = .stageEmpty
      case (_, true):
        sentence =
          ending.waitsForExits ? .behindOpen : ending.wasToldEarly ? .toldTooEarly : .nothingExits
      case (_, false): sentence = .nothingInItsWay
      }
      report(ending, sentence, other: ending.shown, ending.shownState, &found)
    }
  }

  private static func isFree(_ ending: borrowing VisitEnding) -> Bool {
    guard ending.isStageKnown, !ending.isWithholding, !ending.visit.past.contains(.cancelled) else {
      return false
    }
    if ending.discipline == .atOnce { return true }
    return !ending.isStageBusy
  }

  /// Whether the controller had the chance to let the visit enter.
  ///
  /// There was a later input from outside, the controller is at rest at the end, or enough time has
  /// passed. One that acts in a task of its own, or pauses between two states, may only not have got so far.
  private static func isProven(_ ending: borrowing VisitEnding, _ end: EndContext) -> Bool {
    let seq = max(ending.visit.asked.seq, ending.stageFree.seq)
    if ending.fidelity == .full, !ending.mayPause {
      if ending.isSettled { return true }
      if end.lastTopInput > seq, !ending.actsOutsideInputs { return true }
    }
    return ending.time &- max(ending.visit.asked.time, ending.stageFree.time) >= end.patience
  }

  private static func report(
    _ ending: borrowing VisitEnding, _ sentence: Sentence, other: UInt32, _ state: Int32,
    _ found: inout [Finding]
  ) {
    found.append(
      ending.finding(
        code, ending.visit.asked,
        .init(
          other: other, otherState: state, time: ending.time &- ending.visit.asked.time,
          sentence: sentence.rawValue)))
  }
}
