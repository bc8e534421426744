import Staty
import StatyHistory
import StatyRules

// What states do.
extension ScenarioWriter {
  /// Sets how a visit's state answers where the recording does not show an ordinary answer.
  mutating func setAnswers(_ visit: UInt32, _ controller: Int32, _ place: Int) {
    func wasTold(_ kind: EventKind) -> Moment? {
      let moment = Moment(controller: controller, visit: visit, kind: kind)
      return script.told.contains(moment) ? moment : nil
    }
    if let moment = wasTold(.entering) { scenario.requests[place].enters = answer(moment) }
    if let moment = wasTold(.exiting) { scenario.requests[place].exits = answer(moment) }
    scenario.requests[place].awaitsUser =
      scenario.requests[place].answers & RouteTable.awaitsUser != 0
      || script.awaitingUser.contains(VisitKey(controller: controller, visit: visit))
  }

  /// A state that did not answer for long in its turn may be slow, or may never answer.
  private func answer(_ moment: Moment) -> Scenario.Answer {
    if script.spokenFor.contains(moment) { return .byController }
    let isSilent = !hasAnswer(moment) && script.toldInTurn[moment] != nil
    return isSilent && !wasCutShort(moment) ? .perhaps : .later
  }

  /// Whether the recording ended soon after a state was told something in its turn: it does not show
  /// whether the state would have answered.
  func wasCutShort(_ moment: Moment) -> Bool {
    guard !hasAnswer(moment), let time = script.toldInTurn[moment] else { return false }
    return end &- time < CheckOptions().patience.inMicroseconds
  }

  private func hasAnswer(_ moment: Moment) -> Bool {
    (script.hung[moment] ?? []).contains {
      if case .complete(_, _, .answer, _) = $0.action { true } else { false }
    }
  }

  mutating func complete(
    _ completion: Completion, _ role: ScriptCue.Role, _ isInside: Bool, _ place: Int,
    isFinished: Bool?
  ) {
    let request = scenario.requests[place]
    if let isFinished {
      let key = Script.OwnRequest(controller: request.controller, state: request.state)
      breakable[key, default: []].insert(completion)
      if !isFinished { scenario.requests[place].unfinished.insert(completion) }
    }
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
        // The recording does not show how it exits in its turn.
        scenario.requests[place].exits = .later
      }
    case .exitByItself:
      exitingByThemselves.insert(.init(controller: request.controller, state: request.state))
    case .stray: scenario.requests[place].repeats.insert(completion)
    }
  }
}
