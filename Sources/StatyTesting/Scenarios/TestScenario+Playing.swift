internal import StatyHistory
internal import StatyReport

extension TestScenario {
  /// Adds a line, if there is one, and plays the whole scenario again.
  func perform(_ line: TestLine?, _ location: TestLocation) {
    do {
      let again = try script.play(registry)
      if let line {
        if again.carryOut(line) {
          script.add(line)
        } else if case .step(let step) = line {
          reportFailure(impossible(step, again), at: location)
        } else if case .run(let number) = line {
          reportFailure(
            "The controller has deferred no step \(number), or the step has already run.",
            at: location)
        }
      }
      report(again.doubts, at: location)
      run = again
    } catch {
      reportFailure("The controller could not be made: \(error)", at: location)
    }
  }

  private func impossible(_ step: Step, _ run: ScheduleRun) -> String {
    let words = StepWords(scenario)
    var text = "This cannot happen now: \(words.sentence(step)) "
    text += Self.reason(step, run)
    let possible = run.possible.map { "  " + words.sentence($0) }
    if !possible.isEmpty { text += "\nThis can:\n" + possible.joined(separator: "\n") }
    return text + "\n" + RunPicture(run).text(marked: nil)
  }

  private static func reason(_ step: Step, _ run: ScheduleRun) -> String {
    switch step {
    case .complete(let completion, let id, _):
      let order = completion == .entered ? "to enter" : "to exit"
      guard let visit = run.visit(of: id) else { return "It was not requested." }
      let kind: TransitionEvent.Kind = completion == .entered ? .entering : .exiting
      let isTold = run.events.contains { $0.visit == visit && $0.kind == kind.rawValue }
      return isTold
        ? "It has already reported that, or its visit has ended." : "It was not told \(order)."
    case .exitByItself: return "It has not entered, or was told to exit."
    case .repeat: return "It has not reported that before."
    case .deadline: return "The controller does not wait for it."
    case .make: return "Its visit has ended, or was not requested yet."
    case .bind: return "The controller already has a target."
    case .deferred: return "The step has already run."
    }
  }
}
