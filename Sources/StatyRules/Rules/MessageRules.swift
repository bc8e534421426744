import StatyHistory

/// What the messages of a track say: an answer that is late, and what is worth a look.
///
/// The message of an answer is known if a task carries it or the app passes it. A model that ignores
/// a late answer does not change and is correct. The notes may all be right: a search asks twice, an
/// upload tells its progress, a tap while something is loading needs no answer.
enum MessageRules {
  /// Which sentence of `late-answer` is used.
  enum Late: UInt8 {
    case outOfDate
    case behindUser
    case behindAnswer
    case behindIgnored
    case perhapsOutOfDate
    case behindChange
    case behindPop

    /// Whether it is a finding, and not only worth a look.
    var isWarning: Bool { self == .outOfDate || self == .behindUser }
  }

  static func finding(_ remark: TrackRemark) -> Finding {
    func late(_ sentence: Late) -> Finding {
      finding(
        remark, .lateAnswer,
        .init(
          time: remark.question.seq, newer: remark.newer.seq, asked: remark.question.name,
          newerName: remark.newer.name, sentence: sentence.rawValue))
    }
    func note(_ code: RuleCode) -> Finding {
      finding(remark, code, .init(time: remark.question.seq, asked: remark.question.name))
    }
    return switch remark.kind {
    case .answerOutOfDate: late(.outOfDate)
    case .answerPerhapsOutOfDate: late(.perhapsOutOfDate)
    case .answerBehindUser: late(.behindUser)
    case .answerBehindAnswer: late(.behindAnswer)
    case .answerBehindIgnored: late(.behindIgnored)
    case .answerBehindChange: late(.behindChange)
    case .answerBehindPop: late(.behindPop)
    case .askedTwice: note(.askedTwice)
    case .answeredTwice: note(.answeredTwice)
    case .neverAnswered: note(.neverAnswered)
    case .neverReceived: note(.neverReceived)
    case .aliveTwice: note(.aliveTwice)
    case .uncausedChange: note(.uncausedChange)
    }
  }

  /// What holds if the session ends now; an answer, or what was sent, may still be on its way.
  static func findings(at ending: borrowing SessionEnding, patience: Int64) -> [Finding] {
    let time = ending.time
    return ending.remarks.filter { remark in
      switch remark.kind {
      case .neverAnswered, .neverReceived, .aliveTwice:
        return (remark.lasted ?? time &- remark.time) >= patience
      default: return true
      }
    }.map(finding)
  }

  private static func finding(
    _ remark: TrackRemark, _ code: RuleCode, _ facts: Finding.Facts
  ) -> Finding {
    Finding(
      code, seq: remark.seq, controller: remark.controller, visit: remark.visit,
      state: remark.state, facts)
  }
}
