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

  /// The properties of a request besides its state.
  package struct Manner: Equatable {
    package var object: Int?
    package var priority: Int32 = 0
    package var equality: UInt32?
    package var answers: UInt64 = 0
    package var asked: StateName?
    package var payload: String?
    package var enters = Scenario.Answer.later
    package var exits = Scenario.Answer.later
    package var exitsEarly = Scenario.Answer.perhaps

    package init() {}

    /// Copies the properties of a scenario's request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - object: the first request for the same object.
    init(of request: Scenario.Request, object: Int?) {
      self.object = object
      priority = request.priority
      equality = request.equality
      answers = request.answers
      asked = request.asked
      payload = request.payload
      enters = request.enters
      exits = request.exits
      exitsEarly = request.exitsEarly
    }

    fileprivate func shape(_ request: inout Scenario.Request) {
      request.priority = priority
      request.equality = equality
      request.answers = answers
      request.asked = asked
      request.payload = payload
      request.enters = enters
      request.exits = exits
      request.exitsEarly = exitsEarly
    }
  }

  /// The event inside which a request is made, if the test does not make it itself.
  package struct Inside: Equatable {
    let place: Scenario.Place
    /// The request whose state makes this one.
    let origin: Int?

    package init(_ moment: Scenario.Moment, isAfterAnswer: Bool) {
      place = .inside(moment, isAfterAnswer: isAfterAnswer)
      origin = moment.request
    }

    /// Inside an outward call of the controller.
    package init(_ call: Scenario.Call) { (place, origin) = (.called(call), nil) }
  }

  /// Adds a request, without its line.
  package mutating func request(
    _ state: StateName, _ manner: Manner, inside: Inside? = nil
  ) -> Int {
    let first = manner.object.map { scenario.request(numbered: $0)?.instance ?? $0 }
    return scenario.request(state) { request in
      request.instance = first
      manner.shape(&request)
      guard let inside else { return }
      request.place = inside.place
      request.origin = inside.origin
    }
  }

  /// Adds a message, without its line.
  ///
  /// A test says itself in which order messages are received.
  package mutating func receive(
    _ name: StateName, _ values: String?, answering question: Int?
  ) -> Int {
    scenario.receive(name, values, answering: question) { $0.source = $0.id }
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
    case .step(let step): return takeIfPossible(step)
    case .advance: if let step = nextDeferred { take(step) }
    case .run(let number): return self.step(numbered: number).map { take($0) } ?? false
    case .pass(let time): pass(time)
    case .settle: settle()
    }
    return true
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
