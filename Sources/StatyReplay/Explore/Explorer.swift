import Staty
public import StatyRules

/// Goes through every order in which what a scenario says can happen, and finds a shortest one in which
/// a rule is broken.
///
/// ```swift
/// var scenario = Scenario("checkout")
/// scenario.ask("loading")
/// scenario.ask("alert") { $0.leaves = true }
/// let exploration = try Explorer(scenario, registry: registry).run()
/// ```
///
/// A controller that is a policy is a value, and is searched state by state. Two of its states are taken
/// for one if they have the same hash: a policy's hash has to tell apart what its `==` does. Any other
/// controller is run from the beginning again and again, and so are a policy with more than 64 requests
/// and cancellations, and several controllers of which one has to do with another; what such controllers
/// share beside what is reported must not decide anything.
///
/// Time plays no part but in deadlines, which may pass whenever they can.
public struct Explorer {
  /// How far a search may go, and what it is for.
  public struct Options: Hashable, Sendable {
    /// The rules that are meant; `nil` for all that are errors.
    ///
    /// At least one has to be about what is played: see ``StatyRules/RuleCode/isPlayed``.
    public var codes: Set<RuleCode>?
    /// Whether the search goes on until it has a shortest order for each rule that is broken in any;
    /// by default it ends with the first.
    public var isForEachRule = false
    /// How many steps a schedule may have.
    public var mostSteps = 1_000
    /// How many runs are made of a controller that cannot be copied.
    public var mostRuns = 10_000_000
    /// How many states of a policy are remembered: at most 40 bytes each, beside about a kilobyte for
    /// each of two layers, those of as many steps and of one more.
    public var mostStates = 60_000_000
    /// How long it may take.
    public var time: Duration?
    /// How many threads search the states of a policy.
    public var workers = 2

    /// The usual: errors, and no limit that a scenario of a few requests would meet.
    public init() {}
  }

  /// How far a search has come.
  public struct Progress: Hashable, Sendable {
    /// How many steps the schedules have that are looked at now.
    public var depth: Int
    /// How many states were seen, or runs made.
    public var states: Int
  }

  private let plan: ScenarioPlan
  private let registry: ControllerRegistry
  private var options: Options
  /// Which findings of the rules that are meant the search is for.
  var isMeant: (Finding, ScheduleRun) -> Bool = { _, _ in true }
  private var progress: (Progress) -> Void = { _ in }

  /// An explorer of a scenario.
  ///
  /// - Throws: a `RegistryError` if there is no controller of a name.
  public init(
    _ scenario: Scenario, registry: ControllerRegistry = ControllerRegistry(),
    options: Options = Options()
  ) throws {
    precondition(
      options.codes?.contains(where: \.isPlayed) ?? true,
      "None of the rules that are meant is about what is explored. Name another, or none for all.")
    plan = try ScenarioPlan(scenario, registry)
    self.registry = registry
    self.options = options
  }

  /// Searches.
  ///
  /// - Parameter progress: called now and then.
  /// - Throws: what a controller's factory throws.
  public func run(
    _ progress: @escaping (Progress) -> Void = { _ in }
  ) throws -> Exploration {
    var explorer = self
    explorer.progress = progress
    let parts = plan.scenario.independentParts
    return parts.count > 1 ? try explorer.search(parts) : try explorer.search()
  }

  /// Searches controllers that have nothing to do with each other one after the other: no order of
  /// theirs among each other matters.
  private func search(_ parts: [Scenario]) throws -> Exploration {
    let deadline = options.time.map { ContinuousClock.now + $0 }
    var explorations: [Exploration] = []
    var options = options
    for part in parts {
      if let deadline { options.time = max(.zero, deadline - ContinuousClock.now) }
      var explorer = try Explorer(part, registry: registry, options: options)
      explorer.progress = progress
      explorer.isMeant = isMeant
      let exploration = try explorer.search()
      explorations.append(exploration)
      // Of the others only a shorter one is wanted.
      if !options.isForEachRule, let found = exploration.schedule?.count {
        options.mostSteps = found - 1
      }
    }
    return Exploration(
      explorations, of: plan.scenario, isForEach: options.isForEachRule)
  }

  private func search() throws -> Exploration {
    let deadline = options.time.map { ContinuousClock.now + $0 }
    guard let model = model(deadline) else { return try runByRun() }
    let outcome = try model()
    guard outcome.isBeyond, !outcome.isSatisfied, outcome.cut == nil else {
      return try exploration(outcome, .states)
    }
    // Nothing shorter breaks what was found; for the rest no two states may be taken for one.
    var search = search(outcome.goal, limits(deadline))
    try search.run()
    var runs = search.outcome
    runs.found = outcome.found + runs.found
    return try exploration(runs, .runs)
  }

  /// Searches as if the controller could not be copied.
  ///
  /// - Parameter leavesOut: whether orders are left out that come to the same as another.
  func runByRun(leavesOut: Bool = true) throws -> Exploration {
    let deadline = options.time.map { ContinuousClock.now + $0 }
    var search = search(goal, limits(deadline), leavesOut: leavesOut)
    try search.run()
    return try exploration(search.outcome, .runs)
  }

  private func search(
    _ goal: SearchGoal, _ limits: SearchLimits, leavesOut: Bool = true
  ) -> ScheduleSearch {
    ScheduleSearch(plan, limits, goal, leavesOut: leavesOut) { [self] in
      Set(wanted($0).map(\.code))
    }
  }

  private var goal: SearchGoal {
    SearchGoal(
      open: Set(RuleCode.allCases.filter(isWanted)), isForEach: options.isForEachRule)
  }

  private func limits(_ deadline: ContinuousClock.Instant?) -> SearchLimits {
    SearchLimits(
      steps: options.mostSteps, runs: options.mostRuns, states: options.mostStates,
      deadline: deadline
    ) { [progress] in
      progress(Progress(depth: $0.depth, states: $0.states))
    }
  }

  /// The findings of a run that the search is for.
  private func wanted(_ run: ScheduleRun) -> [Finding] {
    run.violations.filter { isWanted($0.code) && isMeant($0, run) }
  }

  private func isWanted(_ code: RuleCode) -> Bool {
    if !code.isPlayed { return false }
    return options.codes?.contains(code) ?? (code.severity == .error)
  }

  private func exploration(
    _ outcome: SearchOutcome, _ method: Exploration.Method
  ) throws -> Exploration {
    var exploration = Exploration(method, of: plan.scenario)
    exploration.cut = outcome.cut
    exploration.doubts = plan.scenario.doubts + outcome.doubts
    exploration.states = outcome.states
    exploration.transitions = outcome.transitions
    exploration.pruned = outcome.pruned
    exploration.depth = outcome.depth
    exploration.bytes = outcome.bytes
    exploration.isSatisfied = outcome.isSatisfied
    exploration.orders = try outcome.found.map { found in
      let run = try play(found.schedule, isAtEnd: found.isAtEnd)
      return Exploration.Order(
        scenario: plan.scenario, schedule: found.schedule, isAtEnd: found.isAtEnd,
        codes: found.codes, violations: run.map(wanted) ?? [])
    }
    return exploration
  }

  /// A run of the shortest order that was found, to its end; `nil` if none was.
  public func run(of exploration: Exploration) throws -> ScheduleRun? {
    try exploration.orders.first.flatMap(run(of:))
  }

  /// A run of an order that was found, to its end; `nil` if it is not possible.
  public func run(of order: Exploration.Order) throws -> ScheduleRun? {
    let explorer = try Explorer(order.scenario, registry: registry, options: options)
    return try explorer.play(order.schedule, isAtEnd: true)
  }

  /// A run of a schedule; `nil` if it is not possible.
  private func play(_ schedule: Schedule, isAtEnd: Bool) throws -> ScheduleRun? {
    let run = try ScheduleRun(plan)
    for step in schedule {
      guard run.take(step) else { return nil }
    }
    if isAtEnd { run.finish() }
    return run
  }
}

// MARK: Policies

extension Explorer {
  /// The search of a single policy; `nil` if that is not what the scenario is of.
  private func model(_ deadline: ContinuousClock.Instant?) -> (() throws -> SearchOutcome)? {
    guard plan.parts.count == 1, case .policy(let make) = plan.parts[0].entry else { return nil }
    guard let model = ModelPlan(plan, isRanked: !plan.isOurs) else { return nil }
    let policy = make(model.snapshot(plan.scenario)).policy
    return { try search(policy, model, deadline) }
  }

  /// Of our own policies each has code of its own, or every step would go through tables of
  /// witnesses.
  private func search(
    _ policy: any TransitionPolicy, _ model: ModelPlan, _ deadline: ContinuousClock.Instant?
  ) throws -> SearchOutcome {
    switch policy {
    case let policy as QueuePolicy: try layered(policy, model, deadline)
    case let policy as LatestPolicy: try layered(policy, model, deadline)
    case let policy as RejectPolicy: try layered(policy, model, deadline)
    case let policy as PriorityPolicy: try layered(policy, model, deadline)
    case let policy as CoalescePolicy: try layered(policy, model, deadline)
    case let policy as ImmediatePolicy: try layered(policy, model, deadline)
    default: try layered(policy, model, deadline)
    }
  }

  private func layered<Policy: TransitionPolicy>(
    _ policy: Policy, _ model: ModelPlan, _ deadline: ContinuousClock.Instant?
  ) throws -> SearchOutcome {
    var outcome = try layered(policy, model, limits(deadline), workers: options.workers)
    guard outcome.isShared, let last = outcome.found.last else { return outcome }
    // Which of several threads comes first is no matter of the scenario. Alone it takes the same way
    // each time, and has to go no further.
    var limits = limits(nil)
    limits.steps = last.schedule.count
    let alone = try layered(policy, model, limits, workers: 1)
    if alone.codes == outcome.codes { outcome.found = alone.found }
    return outcome
  }

  private func layered<Policy: TransitionPolicy>(
    _ policy: Policy, _ model: ModelPlan, _ limits: SearchLimits, workers: Int
  ) throws -> SearchOutcome {
    let suspects = RuleCode.allCases.filter { isWanted($0) || $0.severity == .error }
    let search = LayeredSearch(
      policy, model, limits, goal, workers: workers, wanted: Suspicion(suspects)
    ) { [self] schedule, isAtEnd in
      guard let run = try? play(schedule, isAtEnd: isAtEnd) else { return Judgement() }
      return Judgement(
        codes: Set(wanted(run).map(\.code)),
        isFaulty: run.certain.contains { $0.severity == .error })
    }
    search.run()
    return search.outcome
  }
}

extension Suspicion {
  /// What is to be looked into if findings of these rules are wanted.
  init(_ codes: [RuleCode]) {
    self = .unsound
    let all: [(RuleCode, Suspicion)] = [
      (.exitBeforeEnter, .exitBeforeEnter), (.overlap, .overlap), (.doubleEnter, .doubleEnter),
      (.doubleExit, .doubleExit), (.outOfOrder, .outOfOrder),
      (.undeclaredTransition, .undeclared), (.staleRequest, .staleRequest),
      (.reentrantRequest, .reentrantRequest),
    ]
    for (code, suspicion) in all where codes.contains(code) { insert(suspicion) }
  }
}
