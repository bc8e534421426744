package import Staty
package import StatyReplay
package import StatyRules

/// A scenario and the lines of a test that say in which order it goes.
///
/// Tests and what writes tests build it by the same methods, so that a written test does what its
/// writer has seen.
package struct TestScript {
  /// What may happen, as far as it was said.
  package var scenario: Scenario
  /// In which order it does.
  private(set) var lines: [TestLine] = []

  /// A script in which nothing happens yet.
  package init(_ scenario: Scenario) {
    self.scenario = scenario
  }

  /// What a request is like beyond its state.
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

    /// What a request of a scenario is like.
    ///
    /// - Parameter object: the first request for the same object.
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

  /// Where a request is made that the test does not make itself.
  package struct Inside: Equatable {
    var moment: Scenario.Moment
    var isAfterAnswer: Bool

    package init(_ moment: Scenario.Moment, isAfterAnswer: Bool) {
      self.moment = moment
      self.isAfterAnswer = isAfterAnswer
    }
  }

  /// Adds a request; its line is not added yet.
  package mutating func ask(
    _ state: StateName, _ manner: Manner, inside: Inside? = nil
  ) -> Int {
    let first = manner.object.map { scenario.request($0)?.instance ?? $0 }
    return scenario.ask(state) { request in
      request.instance = first
      manner.shape(&request)
      guard let inside else { return }
      request.place = .inside(inside.moment, isAfterAnswer: inside.isAfterAnswer)
      request.origin = inside.moment.request
    }
  }

  /// A state leaves by itself, or says something again, as far as the scenario has to know before.
  package mutating func allow(_ step: Step) {
    switch step {
    case .leave(let id): change(id) { $0.leaves = true }
    case .repeat(let completion, let id): change(id) { $0.repeats.insert(completion) }
    default: break
    }
  }

  /// What the controller does about states that take too long.
  package mutating func recover(_ completion: Completion, by recovery: DeadlineRecovery) {
    if completion == .entered {
      scenario.controllers[0].deadlineEntering = recovery
    } else {
      scenario.controllers[0].deadlineLeaving = recovery
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
  /// - Throws: a `RegistryError` if there is no controller of that name, or what its factory throws.
  package func play(_ registry: ControllerRegistry) throws -> ScheduleRun {
    let run = try ScheduleRun(scenario, registry: registry)
    for line in lines { _ = run.carryOut(line) }
    return run
  }

  /// Plays the lines, and then what the controller has put off, and nothing any more.
  ///
  /// What the lines leave a state to say, and it could say, is no fault of its controller.
  ///
  /// - Returns: the run, and which rules are broken in it.
  /// - Throws: as ``play(_:)``.
  package func playToEnd(
    _ registry: ControllerRegistry
  ) throws -> (run: ScheduleRun, violations: [Finding]) {
    let run = try play(registry)
    run.catchUp()
    let open = Set(run.possible)
    run.finish()
    let violations = run.violations.filter { finding in
      guard let id = run.request(of: finding.visit, controller: finding.controller) else {
        return true
      }
      switch finding.code {
      case .neverArrived: return !open.contains(.say(.entered, id))
      case .neverExited: return !open.contains(.say(.exited, id))
      default: return true
      }
    }
    return (run, violations)
  }
}

/// What a line of a test says.
package enum TestLine: Hashable, Sendable {
  /// This happens.
  case step(Step)
  /// This happens if it can.
  case perhaps(Step)
  /// The oldest step runs that was put off.
  case advance
  /// The step runs that the controller has put off as the how-manieth of all.
  case run(UInt32)
  /// So many microseconds pass, and steps that were put off run when they are due.
  case pass(Int64)
  /// Everything happens that must.
  case settle
}

extension ScheduleRun {
  /// Does what a line says; whether it could.
  package func carryOut(_ line: TestLine) -> Bool {
    switch line {
    case .perhaps(let step): _ = takeIfPossible(step)
    case .step(let step): return takeIfPossible(step)
    case .advance: if let step = nextPutOff { take(step) }
    case .run(let number): return self.step(numbered: number).map { take($0) } ?? false
    case .pass(let time): pass(time)
    case .settle: settle()
    }
    return true
  }

  /// Takes a step, if need be after what the controller has put off.
  private func takeIfPossible(_ step: Step) -> Bool {
    var patience = Self.mostSteps
    while !take(step) {
      guard patience > 0, case .say = step, let before = nextPutOff else { return false }
      patience -= 1
      take(before)
    }
    return true
  }

  private var nextPutOff: Step? {
    possible.first { if case .putOff = $0 { true } else { false } }
  }

  /// What is left to happen, but for what need not.
  var due: [Step] {
    possible.filter { step in
      if case .deadline = step { return false }
      return !isOptional(step)
    }
  }

  /// Runs every step that was put off.
  fileprivate func catchUp() {
    for _ in 0..<Self.mostSteps {
      guard let step = nextPutOff else { return }
      take(step)
    }
  }

  private func settle() {
    for _ in 0..<Self.mostSteps {
      guard let step = nextPutOff ?? due.first else { return }
      take(step)
    }
  }

  /// Who puts off a step in each step never comes to rest.
  private static var mostSteps: Int { 1_000 }
}
