import Chance
import Staty
import StatyHistory
import StatyReplay
import StatyRules
import StatySpecimens
import Testing

/// Exploring finds the faults of each specimen in ordinary scenarios.
@Suite struct ExploredSpecimenTests {
  /// A use with a shortest order for each rule that the specimen breaks.
  private struct Explored {
    let use: OrdinaryUse
    let exploration: Exploration
    /// The time that the search took.
    let time: Duration

    /// The order that breaks a rule.
    func order(_ code: RuleCode) -> Exploration.Order? {
      exploration.orders.first { $0.codes.contains(code) }
    }
  }

  /// Searches a use for all rules, including warnings.
  ///
  /// - Parameter steps: how many steps an order may have; all by default.
  private func explore(_ use: OrdinaryUse, steps: Int? = nil) throws -> Explored {
    var options = Explorer.Options()
    options.codes = Set(RuleCode.allCases)
    options.isForEachRule = true
    if let steps { options.mostSteps = steps }
    var exploration: Exploration?
    let time = try ContinuousClock().measure {
      exploration = try Explorer(use.scenario, registry: .withSpecimens, options: options).run()
    }
    return Explored(use: use, exploration: try #require(exploration), time: time)
  }

  @Test(arguments: Specimens.all.map { $0.name })
  func `ordinary use shows each fault of a specimen, in a shortest order`(
    _ specimen: String
  ) throws {
    // An order has no times, so that no state is slow in one.
    let faults = SpecimenScenario.all.filter {
      $0.specimen == specimen && $0.code != nil && $0.code != RuleCode.slowEnter.rawValue
    }
    let all = try OrdinaryUse.all(of: specimen).map { try explore($0) }
    for explored in all {
      tell(explored, specimen)
      #expect(explored.exploration.isComplete && explored.exploration.isShortest)
    }
    for (number, fault) in faults.enumerated() {
      let code = try #require(fault.code.flatMap(RuleCode.init))
      let explored = try #require(
        all.first { $0.order(code) != nil }, "\(fault.name): \(all.map(\.exploration.orders))")
      let order = try #require(explored.order(code))
      #expect(order.findings.map(\.code).contains(code))
      // The search needs orders of this length to find the fault.
      let alone = try explore(explored.use, steps: order.schedule.count)
      print("\(fault.name): \(code.rawValue) after \(order.schedule.count) steps, in \(alone.time)")
      // A search of ten times as many runs or states takes about a second.
      let transitions = alone.exploration.transitions
      #expect(transitions <= 2_000, "\(fault.name): \(transitions)")
      // Here for one fault, chosen by the seed. `.ci/nightly` does it for all.
      if sweep > 1 || number == Int(testSeed % UInt64(faults.count)) {
        try expectNoneShorter(than: order, code, explored.use)
      }
      try expectMended(explored.use, by: fault)
    }
  }

  private func tell(_ explored: Explored, _ specimen: String) {
    let found = explored.exploration.orders.map { order in
      order.codes.map(\.rawValue).sorted().joined(separator: " and ") + " after "
        + "\(order.schedule.count) steps"
    }
    print(
      "\(specimen), \(explored.use): \(found.joined(separator: ", ")); "
        + "\(explored.exploration.transitions) runs in \(explored.time)")
  }

  /// Runs all shorter orders, without the search.
  private func expectNoneShorter(
    than order: Exploration.Order, _ code: RuleCode, _ use: OrdinaryUse
  ) throws {
    var every = EveryOrder(use.scenario)
    let isThere = try every.contains(within: order.schedule.count - 1) { run in
      run.findings.contains { $0.code == code }
    }
    #expect(!isThere, "\(use): \(code) in fewer than \(order.schedule)")
    print("\(use): \(code.rawValue) in none of \(every.runs) shorter ones")
  }

  /// Checks errors only.
  ///
  /// Warnings are about the time of requests, which no controller can change.
  private func expectMended(_ use: OrdinaryUse, by fault: SpecimenScenario) throws {
    let fixed = use.scenario.with(fault.right)
    let passed = try Explorer(fixed, registry: .withSpecimens).run()
    #expect(passed.isClean && passed.isComplete, "\(fault.name), \(use): \(passed)")
    #expect(passed.method == .states)
  }

  @Test func `a queue breaks no rule in any ordinary use with states that answer`() throws {
    for specimen in Specimens.all {
      for use in OrdinaryUse.all(of: specimen.name) where use.hasAnswers {
        let queue = use.scenario.with("queue")
        #expect(try Explorer(queue).run().isClean, "\(specimen.name), \(use)")
      }
    }
  }

  @Test func `a fault without a rule is found by comparison with the events`() throws {
    let use = try #require(OrdinaryUse.all(of: Container2020.name).first)
    var scenario = use.scenario
    scenario.controllers[0].kind = "watched"
    var container: Container2020?
    var registry = ControllerRegistry()
    registry.register("watched") { context in
      let made = Container2020(probe: context.probe, timer: context.scheduler)
      container = made
      return context.subject(makeState: WatchedState.init) { state, _ in
        made.setNeedsStateTransition(to: state)
      }
    }
    /// Whether a transition reported a wrong origin.
    func isWrong(_ run: ScheduleRun) throws -> Bool {
      let entered = run.events.filter { $0.kind == TransitionEvent.Kind.entered.rawValue }
      let names = entered.map { StateName(run.names[$0.state] ?? "") }
      let from = try #require(container).transitionsFrom
      return from != Array(names.dropLast()) && !run.allFindings.contains { $0.severity == .error }
    }
    var every = EveryOrder(scenario, registry)
    #expect(try !every.contains(within: 1, isWrong))
    #expect(try every.contains(within: 2, isWrong))
  }
}

extension Scenario {
  /// The scenario with controllers of this kind.
  fileprivate func with(_ kind: String) -> Scenario {
    var scenario = self
    for (place, one) in controllers.enumerated() where one.kind != kind {
      scenario.controllers[place].kind = kind
      scenario.controllers[place].fidelity = .full
      // Another kind need not do what was recorded.
      scenario.recorded.removeAll { $0.controller == one.id }
    }
    return scenario
  }
}

/// A state of the watched container, played from a scenario.
private final class WatchedState: SpecimenState {
  private let script: ReplayState
  weak var owner: (any SpecimenStateOwner)?
  var name: StateName { script.name }

  init(_ script: ReplayState) {
    self.script = script
    script.onCompletion = { [unowned self] in complete($0) }
  }

  func enter() { script.enter() }
  func exit() { script.exit() }
}
