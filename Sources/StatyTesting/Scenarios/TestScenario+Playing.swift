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
            "The controller has put off no step \(number), or it has run.", at: location)
        }
      }
      if again.doubts.count > run.doubts.count, let doubt = again.doubts.last {
        reportFailure(doubt.advised(in: scenario, registry), at: location)
      }
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
    case .say(let completion, let id):
      let order = completion == .entered ? "to enter" : "to exit"
      guard let visit = run.visit(of: id) else { return "It has not been asked for." }
      let kind: TransitionEvent.Kind = completion == .entered ? .entering : .exiting
      let isTold = run.events.contains { $0.visit == visit && $0.kind == kind.rawValue }
      return isTold ? "It has said so already, or is gone." : "It was not told \(order)."
    case .leave: return "It is not in, or was told to exit."
    case .repeat: return "It has not said so before."
    case .deadline: return "It is not waited for."
    case .make: return "It is over, or not there yet."
    case .bind: return "It is there already."
    case .putOff: return "It has run."
    }
  }
}
