package import Staty
package import StatyReplay
package import StatyRules

/// A scenario, and the lines of a test that define its order.
///
/// Tests and the test writer use the same methods, so a written test does the same as in the
/// writer.
package struct TestScript {
  /// The requests and states so far.
  package var scenario: Scenario
  /// The lines so far.
  private(set) var lines: [TestLine] = []

  /// Creates a script without lines.
  package init(_ scenario: Scenario) {
    self.scenario = scenario
    self.scenario.mayWaitForExits = false
  }

  /// Adds a request, without its line.
  ///
  /// - Parameters:
  ///   - place: the event or call inside which it is made, if the test does not make it itself.
  ///   - shape: sets the other properties; as its instance, any earlier request for the same object.
  package mutating func request(
    _ state: StateName, _ place: Scenario.Place = .anytime,
    _ shape: (inout Scenario.Request) -> Void
  ) -> Int {
    let known = scenario
    return scenario.request(state) { request in
      shape(&request)
      request.instance = request.instance.map { known.request(numbered: $0)?.instance ?? $0 }
      request.place = place
      // The state that this happens to makes the request.
      if case .inside(let moment, _) = place { request.origin = moment.request }
    }
  }

  /// Adds a message, without its line.
  ///
  /// A test says itself in which order messages are received.
  ///
  /// - Parameter needsQuestion: whether it comes only if something was asked that it answers.
  package mutating func receive(
    _ name: StateName, _ values: String?, answering question: Int?, needsQuestion: Bool = false
  ) -> Int {
    scenario.receive(name, values, answering: question) {
      ($0.source, $0.needsQuestion) = ($0.id, needsQuestion)
    }
  }

  /// Allows a state to exit by itself, to complete twice, or to complete without having finished.
  ///
  /// The scenario must know this in advance.
  package mutating func allow(_ step: Step) {
    switch step {
    case .exitByItself(let id): change(id) { $0.exitsByItself = true }
    case .repeat(let completion, let id): change(id) { $0.repeats.insert(completion) }
    case .complete(let completion, let id, finished: false):
      change(id) { $0.mayBeUnfinished.insert(completion) }
    default: break
    }
  }

  /// Sets what the controller does when a state exceeds its time limit.
  package mutating func recover(_ completion: Completion, by recovery: DeadlineRecovery) {
    if completion == .entered {
      scenario.controllers[0].deadlineEntering = recovery
    } else {
      scenario.controllers[0].deadlineExiting = recovery
    }
  }

  /// Adds a line.
  package mutating func add(_ line: TestLine) { lines.append(line) }

  private mutating func change(_ id: Int, _ change: (inout Scenario.Request) -> Void) {
    guard let place = scenario.requests.firstIndex(where: { $0.id == id }) else { return }
    change(&scenario.requests[place])
  }

  /// Plays the lines from the start, with a new controller.
  ///
  /// - Throws: a `RegistryError` if the registry does not know the controller, or an error of its
  ///   factory.
  package func play(_ registry: ControllerRegistry) throws -> ScheduleRun {
    let run = try ScheduleRun(scenario, registry: registry)
    for line in lines { _ = run.carryOut(line) }
    return run
  }

  /// Plays the lines, and then only the deferred steps of the controller.
  ///
  /// A completion that a state could still report is not an error of the controller.
  ///
  /// - Returns: the run, and the rules that it breaks.
  /// - Throws: as ``play(_:)``.
  package func playToEnd(
    _ registry: ControllerRegistry
  ) throws -> (run: ScheduleRun, findings: [Finding]) {
    let run = try play(registry)
    run.catchUp()
    let open = Set(run.possible)
    run.finish()
    let findings = run.findings.filter { finding in
      if finding.severity == .note { return false }
      guard let id = run.request(of: finding.visit, controller: finding.controller) else {
        return true
      }
      switch finding.code {
      case .neverArrived: return !open.contains(.complete(.entered, id))
      case .neverExited: return !open.contains(.complete(.exited, id))
      default: return true
      }
    }
    return (run, findings)
  }
}

/// A line of a test.
package enum TestLine: Hashable, Sendable {
  /// A step happens.
  case step(Step)
  /// A step happens if it is possible.
  case perhaps(Step)
  /// From here on the request with this number, which was made inside of the last line, can be named.
  case inside(Int)
  /// The oldest deferred step runs.
  case advance
  /// The deferred step with this number runs.
  case run(UInt32)
  /// The time advances by microseconds, and deferred steps run when they are due.
  case pass(Int64)
  /// All expected steps happen.
  case settle
}

extension ScheduleRun {
  /// Carries out a line; `false` if that was not possible.
  package func carryOut(_ line: TestLine) -> Bool {
    switch line {
    case .perhaps(let step): _ = takeIfPossible(step)
    case .inside: break
    case .step(let step): return takeIfPossible(step) || answersNothing(step)
    case .advance: if let step = nextDeferred { take(step) }
    case .run(let number): return self.step(numbered: number).map { take($0) } ?? false
    case .pass(let time): pass(time)
    case .settle: settle()
    }
    return true
  }

  /// Whether a step answers a message that a test skips, because the model asked for nothing.
  private func answersNothing(_ step: Step) -> Bool {
    guard case .make(let id) = step, let origin = question(of: id) else { return false }
    return !hasMade(origin)
  }

  /// Takes a step, if necessary after deferred steps of the controller.
  private func takeIfPossible(_ step: Step) -> Bool {
    var patience = Self.mostSteps
    while !take(step) {
      guard patience > 0, step.otherwiseFinished != nil, let before = nextDeferred else {
        return false
      }
      patience -= 1
      take(before)
    }
    return true
  }

  private var nextDeferred: Step? {
    possible.first { if case .deferred = $0 { true } else { false } }
  }

  /// The remaining steps, without optional ones.
  var due: [Step] {
    possible.filter { step in
      if case .deadline = step { return false }
      return !isOptional(step)
    }
  }

  /// Runs all deferred steps.
  fileprivate func catchUp() {
    for _ in 0..<Self.mostSteps {
      guard let step = nextDeferred else { return }
      take(step)
    }
  }

  private func settle() {
    for _ in 0..<Self.mostSteps {
      guard let step = nextDeferred ?? due.first else { return }
      take(step)
    }
  }

  /// The limit for a controller that defers a step in each step.
  private static var mostSteps: Int { 1_000 }
}
