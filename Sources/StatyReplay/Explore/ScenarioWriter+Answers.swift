import Staty
import StatyHistory
import StatyRules

// What states do.
extension ScenarioWriter {
  /// Says of a visit what it does although it did not show, or not by itself.
  mutating func setAnswers(_ visit: UInt32, _ controller: Int32, _ place: Int) {
    func wasTold(_ kind: EventKind) -> Moment? {
      let moment = Moment(controller: controller, visit: visit, kind: kind)
      return script.told.contains(moment) ? moment : nil
    }
    if let moment = wasTold(.entering) { scenario.requests[place].enters = answer(moment) }
    if let moment = wasTold(.exiting) { scenario.requests[place].exits = answer(moment) }
  }

  /// A state that was silent for long when it was its turn may have been slow, or not answer at all;
  /// one whose recording ended before was cut short.
  private func answer(_ moment: Moment) -> Scenario.Answer {
    if script.spokenFor.contains(moment) { return .byController }
    guard !hasAnswer(moment), let time = script.toldInTurn[moment] else { return .later }
    return end &- time >= CheckOptions().patience.inMicroseconds ? .perhaps : .later
  }

  private func hasAnswer(_ moment: Moment) -> Bool {
    (script.hung[moment] ?? []).contains {
      if case .say(_, _, .answer) = $0.action { true } else { false }
    }
  }

  mutating func say(
    _ completion: Completion, _ role: Cue.Role, _ isInside: Bool, _ place: Int, _ moment: Moment?
  ) {
    let answer: Scenario.Answer = isInside ? .atOnce : .later
    switch role {
    case .answer(isLawful: true):
      if completion == .entered {
        scenario.requests[place].enters = answer
      } else {
        scenario.requests[place].exits = answer
      }
    case .answer(isLawful: false):
      if completion == .entered {
        scenario.requests[place].enters = answer
      } else {
        scenario.requests[place].exitsEarly = answer
        // How it leaves in its turn was not seen.
        scenario.requests[place].exits = .later
      }
    case .leave:
      let request = scenario.requests[place]
      leaving.insert(.init(controller: request.controller, state: request.state))
    case .stray: scenario.requests[place].repeats.insert(completion)
    }
  }
}
