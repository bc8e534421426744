import Chance
import Staty
import StatyHistory
import StatyRules
import StatyTesting
import Testing

@testable import StatyReplay

/// Every order is gone through, and a shortest one that breaks a rule is found.
@Suite struct ExplorerTests {
  @Test(arguments: ["queue", "latest", "immediate", "reject", "priority", "coalesce"])
  func `our policies break no rule in any order`(_ kind: String) throws {
    var scenario = Scenario(kind)
    scenario.request("loading") { $0.priority = 1 }
    scenario.request("alert") { $0.exitsByItself = true }
    scenario.request("content")
    scenario.request("empty") { $0.repeats = [.exited] }
    scenario.cancel(.request(3))
    let exploration = try Explorer(scenario).run()
    #expect(exploration.isClean)
    #expect(exploration.method == .states)
    #expect(exploration.states > 100)
  }

  @Test func `a policy is held to its own discipline, whatever it is called`() throws {
    var registry = ControllerRegistry()
    registry.register(policy: "alerts") { PriorityPolicy() }
    var scenario = Scenario("alerts")
    for priority in [0, 1, 9] as [Int32] { scenario.request("alert") { $0.priority = priority } }
    let right = try Explorer(scenario, registry: registry).run()
    #expect(right.isClean && right.method == .states, "\(right.orders)")
    // One that serves in order of arrival in its place.
    let wrong = try Explorer(scenario, registry: registry.making("alerts", like: "queue")).run()
    #expect(wrong.orders.first?.codes == [.outOfOrder], "\(wrong)")
    #expect(wrong.method == .states)
  }

  /// Lets any pending request enter.
  private struct ByChance: WaitingLine {
    private(set) var requests: [Request] = []

    static var name: StateName { "by-chance" }
    var isEmpty: Bool { requests.isEmpty }
    func predecessor(of request: Request) -> Request? { nil }
    mutating func restore(_ request: Request) { requests.append(request) }

    mutating func admit(_ request: Request, behind stage: Stage) -> Admission {
      requests.append(request)
      return .waits
    }

    mutating func next() -> Request? {
      requests.isEmpty ? nil : requests.remove(at: Int.random(in: requests.indices))
    }

    mutating func remove(_ visit: VisitNumber) -> Request? {
      requests.firstIndex { $0.visit == visit }.map { requests.remove(at: $0) }
    }
  }

  @Test func `what a policy breaks only by chance is a doubt, and no order without a finding`()
    throws
  {
    var registry = ControllerRegistry()
    registry.register(policy: "by-chance") { StagedPolicy<ByChance>() }
    var scenario = Scenario("by-chance")
    for state in ["a", "b", "c", "d"] as [StateName] { scenario.request(state) }
    for _ in 0..<20 {
      let exploration = try Explorer(scenario, registry: registry).run()
      #expect(exploration.orders.allSatisfy { !$0.findings.isEmpty })
      if exploration.orders.isEmpty, !exploration.isClean {
        #expect(exploration.doubts.contains(.hiddenInput))
      }
    }
  }

  @Test func `an order of states that cannot be played is a doubt`() throws {
    var registry = ControllerRegistry()
    registry.register(policy: "early") { Hasty() }
    var scenario = Scenario("early")
    for state in ["a", "b"] as [StateName] { scenario.request(state) }
    let model = try #require(
      ModelPlan(try ScenarioPlan(scenario, registry), isRanked: true))
    let codes = Set(RuleCode.allCases.filter { $0.severity == .error })
    for isPlayed in [true, false] {
      let search = LayeredSearch(
        Hasty(), model, SearchLimits(Explorer.Options()) { _ in },
        SearchGoal(open: codes, isForEach: false), workers: 1, wanted: Suspicion(Array(codes))
      ) { _, _ in Judgement(isPlayed: isPlayed) }
      search.run()
      #expect(search.result.doubts == (isPlayed ? [] : [.hiddenInput]))
    }
  }

  @Test func `a queue waits for a silent state until a deadline passes`() throws {
    var scenario = Scenario("queue")
    let first = scenario.request("loading")
    let second = scenario.request("content")
    var options = Explorer.Options()
    options.codes = [.neverArrived, .neverExited]
    let silent = try Explorer(scenario.allowingSilence, options: options).run()
    #expect(silent.verdict == .broken)
    #expect(silent.schedule == [.make(first), .make(second)])
    #expect(silent.findings.map(\.code) == [.neverArrived])
    #expect(silent.isAtEnd)
    scenario.controllers[0].deadlineEntering = .skip
    scenario.controllers[0].deadlineExiting = .force
    let watched = try Explorer(scenario.allowingSilence, options: options).run()
    #expect(watched.isClean, "\(watched)")
  }

  @Test(arguments: ["queue", "latest", "priority", "coalesce"])
  func `a silent state is not counted against the controller, unless that is asked for`(
    _ kind: String
  ) throws {
    var scenario = Scenario(kind)
    for _ in 0..<4 { scenario.request("loading") }
    let passed = try Explorer(scenario.allowingSilence).run()
    #expect(passed.isClean && passed.isComplete, "\(passed)")
    var faulty = scenario.allowingSilence
    faulty.requests[0].enters = .never
    #expect(try Explorer(faulty).run().isClean)
    #expect(try Explorer(faulty).runByRun().isClean)
    var options = Explorer.Options()
    options.codes = [.neverArrived]
    #expect(try Explorer(faulty, options: options).run().verdict == .broken)
  }

  @Test func `a controller that tells a state to exit too early is responsible for its silence`()
    throws
  {
    var scenario = Scenario("early")
    for _ in 0..<3 { scenario.request("loading") }
    var registry = ControllerRegistry()
    registry.register(policy: "early") { Hasty() }
    var options = Explorer.Options()
    options.isForEachRule = true
    let found = try Explorer(scenario, registry: registry, options: options).run()
    #expect(found.orders.contains { $0.codes.contains(.exitBeforeEnter) })
    #expect(found.orders.contains { $0.codes.contains(.neverExited) }, "\(found.orders)")
  }

  @Test func `a scenario without requests has not passed`() throws {
    let nothing = try Explorer(Scenario("queue")).run()
    #expect(nothing.verdict == .inconclusive && nothing.isEmpty && nothing.isComplete)
    var pair = Scenario("queue")
    pair.controllers.append(.init("latest", id: 2))
    #expect(try Explorer(pair).run().isEmpty)
    pair.request("loading")
    #expect(try Explorer(pair).run().isClean)
  }

  @Test func `runs are counted in all, and time is over for all`() throws {
    let registry = ControllerRegistry.with(Desk.self)
    var scenario = Scenario("desk")
    scenario.controllers += [.init("desk", id: 2), .init("desk", id: 3)]
    for id in [1, 2, 3] as [Int32] {
      for _ in 0..<3 { scenario.request("loading") { $0.controller = id } }
    }
    let all = try Explorer(scenario, registry: registry).run()
    #expect(all.isClean && all.parts.count == 3)
    var options = Explorer.Options()
    options.mostRuns = all.transitions - 1
    let cut = try Explorer(scenario, registry: registry, options: options).run()
    #expect(cut.cut == .runs && cut.transitions == options.mostRuns)
    #expect(cut.parts.map(\.cut) == [nil, nil, .runs])
    options.mostRuns = all.transitions / 3
    let first = try Explorer(scenario, registry: registry, options: options).run()
    #expect(first.transitions == options.mostRuns && first.cut == .runs)
  }

  @Test func `a search holds no more than it may, and says how much`() throws {
    var scenario = Scenario("queue")
    for _ in 0..<8 { scenario.request("loading") }
    var options = Explorer.Options()
    options.mostStates = 40_000
    let free = try Explorer(scenario, options: options).run()
    for (bytes, workers) in [(1_000_000, 1), (4_000_000, 1), (4_000_000, 2)] {
      options.mostBytes = bytes
      options.workers = workers
      let cut = try Explorer(scenario, options: options).run()
      #expect(cut.cut == .memory && !cut.isClean)
      #expect(cut.bytes <= bytes && cut.bytes > bytes / 8, "\(cut.bytes) of \(bytes)")
      #expect(cut.states < free.states && cut.states > 100)
    }
    let registry = ControllerRegistry.with(Desk.self)
    scenario.controllers[0].kind = "desk"
    (options.mostBytes, options.time) = (1_000_000, nil)
    let runs = try Explorer(scenario, registry: registry, options: options).run()
    #expect(runs.cut == .memory && runs.bytes <= 1_000_000 && runs.bytes > 500_000)
  }

  @Test func `a cancellation of a visit that is over keeps nothing of its source waiting`() throws {
    var scenario = Scenario("queue")
    let first = scenario.request("loading") { $0.exitsByItself = true }
    let cancel = scenario.cancel(.request(first)) {
      $0.source = 7
      $0.place = .after(.exited, first)
    }
    let second = scenario.request("content") {
      $0.source = 7
      $0.enters = .never
    }
    scenario.request("alert")
    let run = try ScheduleRun(scenario)
    #expect(!run.possible.contains(.make(second)))
    for step: Step in [.make(first), .complete(.entered, first), .exitByItself(first)] {
      #expect(run.take(step))
    }
    #expect(run.possible.contains(.make(second)) && !run.possible.contains(.make(cancel)))
    var options = Explorer.Options()
    options.codes = [.neverArrived]
    let explorer = try Explorer(scenario, options: options)
    for exploration in [try explorer.run(), try explorer.runByRun()] {
      #expect(exploration.schedule?.contains(.make(second)) == true, "\(exploration.method)")
    }
  }

  @Test func `a search says where it was cut`() throws {
    var scenario = Scenario("queue")
    for _ in 0..<5 { scenario.request("loading") }
    var options = Explorer.Options()
    options.mostSteps = 3
    #expect(try Explorer(scenario, options: options).run().cut == .steps)
    options = .init()
    options.mostStates = 10
    let cut = try Explorer(scenario, options: options).run()
    #expect(cut.cut == .states)
    // What was run ends in one way, and that is said of no more than was run.
    #expect(!cut.isClean && cut.verdict == .same)
    #expect(cut.outcomes.map(\.isExhaustive) == [false])
    options.mostOutcomeRuns = 3
    #expect(try Explorer(scenario, options: options).run().verdict == .inconclusive)
    options = .init()
    options.time = .zero
    #expect(try Explorer(scenario, options: options).run().cut == .time)
  }

  @Test func `orders that end with the last step that is allowed are looked at`() throws {
    var scenario = Scenario("queue")
    let first = scenario.request("loading")
    var options = Explorer.Options()
    options.codes = [.neverArrived, .neverExited]
    options.mostSteps = 2
    let whole = try Explorer(scenario, options: options).run()
    #expect(whole.isClean && whole.cut == nil && whole.isComplete)
    let second = scenario.request("content")
    #expect(try Explorer(scenario, options: options).run().cut == .steps)
    let silent = try Explorer(scenario.allowingSilence, options: options).run()
    #expect(silent.schedule == [.make(first), .make(second)])
    options.mostSteps = 1
    #expect(try Explorer(scenario.allowingSilence, options: options).run().cut == .steps)
  }

  @Test func `if the search of another controller was cut, no order is called the shortest`()
    throws
  {
    var scenario = Scenario("queue")
    scenario.controllers.append(.init("queue", id: 2))
    for _ in 0..<4 { scenario.request("loading") }
    let silent = scenario.request("alert") {
      $0.controller = 2
      $0.enters = .never
    }
    scenario.request("content") {
      $0.controller = 2
      $0.source = silent
    }
    var options = Explorer.Options()
    options.codes = [.neverArrived]
    let all = try Explorer(scenario, options: options).run()
    #expect(all.schedule?.count == 2 && all.isShortest)
    options.mostStates = 10
    let cut = try Explorer(scenario, options: options).run()
    #expect(cut.schedule?.count == 2 && cut.cut == .states && !cut.isShortest)
  }

  @Test func `several threads see the same states as one`() throws {
    var scenario = Scenario("queue")
    for _ in 0..<6 { scenario.request("loading") }
    var options = Explorer.Options()
    options.workers = 1
    let alone = try Explorer(scenario, options: options).run()
    options.workers = 4
    let together = try Explorer(scenario, options: options).run()
    #expect(alone.states == together.states)
    #expect(alone.transitions == together.transitions)
    #expect(alone.isClean && together.isClean)
  }

  @Test func `controllers that have nothing to do with each other are searched one by one`() throws
  {
    var scenario = Scenario("queue")
    scenario.controllers.append(.init("latest", id: 2))
    for _ in 0..<4 { scenario.request("loading") }
    for _ in 0..<4 { scenario.request("alert") { $0.controller = 2 } }
    let apart = try Explorer(scenario).run()
    #expect(apart.isClean)
    #expect(apart.method == .states)
    #expect(apart.parts.map { $0.scenario.controllers.map(\.id) } == [[1], [2]])
    // A silent one is found at whichever controller it takes fewer steps.
    scenario.requests[0].enters = .never
    scenario.requests[1].source = scenario.requests[0].source
    scenario.requests[2].source = scenario.requests[0].source
    scenario.requests[3].source = scenario.requests[0].source
    scenario.requests[4].exits = .perhaps
    var options = Explorer.Options()
    options.codes = [.neverArrived, .neverExited]
    let broken = try Explorer(scenario, options: options).run()
    #expect(broken.schedule == [.make(1), .make(2), .make(3), .make(4)])
    #expect(broken.scenario.controllers.map(\.id) == [1])
    #expect(try Explorer(scenario).run(of: broken)?.findings.isEmpty == false)
    // One that is asked because of the other belongs to it.
    scenario.requests[5].place = .after(.entered, 2)
    #expect(scenario.independentParts.count == 1)
  }

  @Test func `requests of two sources can come in either order`() throws {
    var scenario = Scenario("queue")
    scenario.request("loading")
    scenario.request("content") { $0.source = 1 }
    #expect(try Explorer(scenario).run().states < Explorer(twoSources).run().states)
  }

  private var twoSources: Scenario {
    var scenario = Scenario("queue")
    scenario.request("loading")
    scenario.request("content")
    return scenario
  }
}

/// The search state by state is the search run by run, only faster.
@Suite struct ExplorerAgreementTests {
  @Test func `a model behaves like a live driver, and suspects whatever the rules find`() throws {
    let seed = testSeed
    var found = 0
    for run in 0..<400 {
      found += try walk(seed &+ UInt64(run), isFaulty: run % 2 == 0)
    }
    print("400 walks from seed \(seed), \(found) with findings")
    #expect(found > 40)
  }

  @Test func `a visit that waits for a state that a deadline forces is suspicious`() throws {
    // The faulty controller does nothing about the deadline, and four wait.
    #expect(try walk(1_090_953_928, isFaulty: true) == 1)
  }

  /// - Returns: 1 if the rules found something.
  private func walk(_ seed: UInt64, isFaulty: Bool) throws -> Int {
    var random = SeededRandom(seed: seed)
    let faults = random.next()
    let kinds = ["queue", "latest", "immediate", "reject", "priority", "coalesce", "faulty"]
    let kind = isFaulty ? "faulty" : kinds[random.below(7)]
    let scenario = RandomScenario.make(&random, kind: kind)
    let plan = try ScenarioPlan(scenario, FaultyPolicy.registry(faults))
    return try goTogether(plan, &random, "\(kind), seed \(seed), faults \(faults)")
  }

  /// - Returns: 1 if the rules found something.
  private func goTogether(
    _ plan: ScenarioPlan, _ random: inout SeededRandom, _ told: String
  ) throws -> Int {
    guard case .policy(let make) = plan.parts[0].entry else { return 0 }
    let model = try #require(ModelPlan(plan, isRanked: !plan.isOurs))
    let policy = make(model.snapshot(plan.scenario)).policy
    return try goTogether(policy, plan, model, &random, told)
  }

  private func goTogether<Policy: TransitionPolicy>(
    _ policy: Policy, _ plan: ScenarioPlan, _ model: ModelPlan, _ random: inout SeededRandom,
    _ told: String
  ) throws -> Int {
    let run = try ScheduleRun(plan)
    var world = ModelWorld(policy: policy, courses: ModelCourses(model))
    var step = ModelStep<Policy>(model, wanted: Suspicion(rawValue: .max))
    var known: Set<Finding> = []
    for _ in 0..<50 {
      let choices = world.courses.choices(model)
      var possible: [(ModelChoice, Step)] = []
      choices.forEach { possible.append(($0, $0.step(model))) }
      #expect(possible.map(\.1) == run.possible, "\(told), after \(run.schedule)")
      #expect(choices.isAtEnd(world.courses, model) == run.isAtEnd, "\(told), \(run.schedule)")
      guard possible.map(\.1) == run.possible, !possible.isEmpty else { break }
      let (choice, taken) = possible[random.below(possible.count)]
      run.take(taken)
      step.take(choice, &world)
      let new = run.allFindings.filter { !known.contains($0) && $0.code != .slowExit }
      known.formUnion(new)
      for finding in new {
        #expect(
          !step.suspicion.isDisjoint(with: Suspicion([finding.code])),
          "\(told), \(finding.code) in \(run.schedule)")
      }
      // What the rules know after that is not all in a world; a search ends here.
      if new.contains(where: { $0.severity == .error }) { return 1 }
    }
    run.finish()
    let late = run.findings.filter { !known.contains($0) && $0.code != .slowExit }
    if world.courses.choices(model).isAtEnd(world.courses, model), !late.isEmpty {
      #expect(world.courses.isSuspiciousAtEnd(model), "\(told), \(late) after \(run.schedule)")
      var strict = model
      strict.countsSilence = false
      let unnamed = run.findings(naming: nil).filter { late.contains($0) }
      if !unnamed.isEmpty {
        #expect(world.courses.isSuspiciousAtEnd(strict), "\(told), \(unnamed), \(run.schedule)")
      }
    }
    return late.isEmpty ? 0 : 1
  }

  @Test func `both searches find a broken rule after as many steps, or none`() throws {
    let seed = testSeed
    var (clean, broken) = (0, 0)
    let searches = tries(usual: 24, nightly: 6)
    for run in 0..<searches {
      var random = SeededRandom(seed: seed &+ UInt64(run))
      let faults = random.next()
      let kind = ["faulty", "faulty", "queue", "priority", "latest"][random.below(5)]
      let scenario = RandomScenario.make(&random, kind: kind, most: 3)
      let registry = FaultyPolicy.registry(faults)
      var options = Explorer.Options()
      options.mostRuns = 2_000
      // A few scenarios have very many states.
      options.mostStates = 50_000
      options.time = .seconds(20)
      let states = try Explorer(scenario, registry: registry, options: options).run()
      if states.cut != nil { continue }
      let runs = try Explorer(scenario, registry: registry, options: options).runByRun()
      let told = "\(kind), seed \(seed &+ UInt64(run)), faults \(faults)"
      if runs.cut == nil {
        #expect(states.schedule?.count == runs.schedule?.count, "\(told): \(states) \(runs)")
        #expect(states.isClean == runs.isClean, "\(told)")
        #expect(states.orders.isEmpty == runs.orders.isEmpty, "\(told)")
      } else if let schedule = states.schedule {
        #expect(schedule.count >= runs.depth, "\(told): \(schedule) \(runs.depth)")
      }
      if runs.isClean { clean += 1 }
      if !runs.orders.isEmpty { broken += 1 }
    }
    print("\(searches) searches from seed \(seed): \(clean) clean, \(broken) broken")
    #expect(broken > searches / 12)
    #expect(clean > searches / 12)
  }

  @Test func `a search for each rule finds for each what a search for it alone finds`() throws {
    let seed = testSeed
    var found: [RuleCode: Int] = [:]
    let searches = tries(usual: 4, nightly: 5)
    for run in 0..<searches {
      var random = SeededRandom(seed: seed &+ UInt64(run))
      let faults = random.next()
      let scenario = RandomScenario.make(&random, kind: "faulty", most: 2)
      let registry = FaultyPolicy.registry(faults)
      var options = Explorer.Options()
      options.mostRuns = 1_000
      options.isForEachRule = true
      options.codes = Set(RuleCode.allCases.filter { $0.severity == .error })
      let all = try Explorer(scenario, registry: registry, options: options).run()
      options.isForEachRule = false
      let told = "seed \(seed &+ UInt64(run)), faults \(faults)"
      for code in RuleCode.allCases where code.severity == .error {
        options.codes = [code]
        let order = all.orders.first { $0.codes.contains(code) }
        let alone = try Explorer(scenario, registry: registry, options: options).runByRun()
        let states = try Explorer(scenario, registry: registry, options: options).run()
        if all.cut == nil, alone.cut == nil {
          #expect(order?.schedule.count == alone.schedule?.count, "\(code), \(told)")
        }
        if states.cut == nil, alone.cut == nil {
          #expect(states.schedule?.count == alone.schedule?.count, "\(code) alone, \(told)")
        }
        if order != nil { found[code, default: 0] += 1 }
      }
    }
    print("\(searches) searches for each rule from seed \(seed): \(found)")
    #expect(!found.isEmpty)
  }
}

/// A queue that tells an entering visit to exit as soon as another is requested.
private struct Hasty: TransitionPolicy {
  private var base = QueuePolicy()

  static var name: StateName { "early" }
  var current: Request? { base.current }
  var phase: Phase { base.phase }
  var snapshot: PolicySnapshot { base.snapshot }

  init() {}
  init(restoring snapshot: PolicySnapshot) { base = QueuePolicy(restoring: snapshot) }

  func predecessor(of request: Request) -> Request? { base.predecessor(of: request) }

  mutating func receive(_ signal: Signal, _ commands: inout CommandQueue) -> Fit {
    if case .requested = signal, base.phase == .entering, let current {
      commands.append(.exit(current.visit))
    }
    return base.receive(signal, &commands)
  }
}
