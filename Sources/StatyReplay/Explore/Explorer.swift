import Staty
import StatyHistory
public import StatyRules

// Two searches share the work, for each independent part of a `ScenarioPlan`, and become one `Exploration`.
//
// `OutcomeSearch` (in Outcomes) asks how orders end. `DeviationPlans` says which orders: the usual one, then those with
// one deviation, with two; `PatientOrder` chooses each step accordingly, out of `ScheduleRun.possible`.
//
// `ScenarioSearch` looks for a shortest order that breaks a rule. It chooses no step and takes them all, shorter orders
// first: for a policy state by state (`LayeredSearch`, in Policies, where `ModelCourses` lists the possible steps), for
// everything else run by run (`ScheduleSearch`, by `ScheduleRun.possible`). `SearchAim` says what counts.
//
// Async code is searched elsewhere, by `WorldSearch` of StatyOrders.

/// Tries every possible order of what a scenario allows, and finds a shortest one that breaks a
/// rule.
///
/// ```swift
/// var scenario = Scenario("checkout")
/// scenario.request("loading")
/// scenario.request("alert") { $0.exitsByItself = true }
/// let exploration = try Explorer(scenario, registry: registry).run()
/// ```
///
/// A policy is a value, so its states are searched one by one. Two states with equal hashes count
/// as one: a policy's hash must distinguish everything that its `==` distinguishes.
///
/// Everything else is run from the beginning for each order: an app's own controllers, a policy
/// with more than 64 requests and cancellations, and several controllers that depend on each other.
/// What such controllers share without reporting it must not decide anything.
///
/// Time matters only for deadlines, which may pass whenever they can.
public struct Explorer {
  /// The limits of a search, and what it searches for.
  public struct Options: Hashable, Sendable {
    /// The rules that are meant; `nil` for all errors, `lateAnswer`, `doublePush` and `mirror`.
    ///
    /// At least one has to be about what is played: see `RuleCode.isPlayed`.
    public var codes: Set<RuleCode>?
    /// Whether the search goes on until it has a shortest order for each broken rule; by default it
    /// ends with the first order.
    public var isForEachRule = false
    /// How many deviations from the usual order an order has at most that is run for its outcome.
    public var mostDeviations = 2
    /// The outcomes that are right, by their texts; `nil` if it is not known which are.
    public var allowed: [String]?
    /// How many orders are run for their outcomes.
    public var mostOutcomeRuns = 20_000
    /// How many steps a schedule may have.
    public var mostSteps = 1_000
    /// The number of runs in all, of controllers that cannot be copied.
    public var mostRuns = 1_000_000
    /// The number of states of a policy that are remembered.
    public var mostStates = 20_000_000
    /// The number of bytes that a search may hold.
    ///
    /// The search ends before it would hold more. The bytes that a policy holds outside of itself,
    /// such as its waiting requests, are estimated. A finished state takes 18 to 36 bytes, an
    /// unfinished one about a kilobyte.
    public var mostBytes = 1_000_000_000
    /// How long the search may take; `nil` for no limit.
    ///
    /// The search for outcomes takes at most half of it.
    public var time: Duration? = .seconds(60)
    /// How many threads search the states of a policy.
    public var workers = 2

    /// The defaults: all errors, `lateAnswer`, `doublePush` and `mirror`, and the default limits of
    /// `staty explore`.
    ///
    /// They are enough to search a queue with eight requests, and an app's own class with three or
    /// four. A search that is cut has not passed.
    public init() {}
  }

  /// The progress of a search.
  public struct Progress: Hashable, Sendable {
    /// The number of steps of the schedules that are searched now.
    public internal(set) var depth: Int
    /// How many states were seen, or runs made.
    public internal(set) var states: Int
  }

  private let plan: ScenarioPlan
  private let registry: ControllerRegistry
  private let options: Options
  /// Which findings of the wanted rules count.
  var isMeant: (Finding, ScheduleRun) -> Bool = { _, _ in true }
  /// Whether the scenario is a whole recording, in which a track that moved has to move again.
  var isOfWhole = true

  /// An explorer of a scenario.
  ///
  /// - Throws: a `RegistryError` if there is no controller of a name, or what a controller's factory
  ///   throws.
  public init(
    _ scenario: Scenario, registry: ControllerRegistry = ControllerRegistry(),
    options: Options = Options()
  ) throws {
    precondition(
      options.codes?.contains(where: \.isPlayed) ?? true,
      "None of the named rules is about what is explored. Name another, or none for all.")
    plan = try ScenarioPlan(scenario.knowingQuestions(registry), registry)
    self.registry = registry
    self.options = options
  }

  /// Searches every order.
  ///
  /// Independent controllers are searched one after the other, because the order among them does
  /// not matter.
  ///
  /// - Parameter progress: called now and then.
  /// - Throws: what a controller's factory throws.
  public func run(
    _ progress: @escaping (Progress) -> Void = { _ in }
  ) throws -> Exploration {
    let begin = ContinuousClock.now
    let outcomes = isOfWhole ? try outcomes(progress, since: begin) : []
    var exploration = try search(
      SearchLimits(options, after: ContinuousClock.now - begin, progress))
    exploration.take(
      outcomes, isAllowing: options.allowed != nil, isForEachRule: options.isForEachRule)
    exploration.doubts += unmet(exploration)
    guard exploration.doubts.isEmpty, exploration.orders.isEmpty else { return exploration }
    guard isOfWhole || exploration.isClean else { return exploration }
    if isOfWhole { exploration.doubts += try unmoved() + keptOrders }
    if exploration.doubts.isEmpty { exploration.doubts += silent(in: exploration) }
    return exploration
  }

  /// The outcomes of each independent group of controllers.
  private func outcomes(
    _ progress: (Progress) -> Void, since begin: ContinuousClock.Instant
  ) throws -> [Outcomes] {
    let parts = plan.scenario.independentParts
    return try parts.enumerated().map { place, part in
      // Each group has its share of what is left.
      let now = ContinuousClock.now
      let left = options.time.map { begin + $0 / 2 - now }
      let limits = OutcomeLimits(
        deviations: options.mostDeviations, runs: options.mostOutcomeRuns,
        bytes: options.mostBytes / 2,
        deadline: left.map { now + $0 / (parts.count - place) })
      let plan = parts.count == 1 ? plan : try ScenarioPlan(part, registry)
      var search = OutcomeSearch(plan, search(plan).aim, limits)
      var outcomes = try search.run { progress(Progress(depth: $0, states: $1)) }
      outcomes.name(options.allowed, isOnly: parts.count == 1)
      return outcomes
    }
  }

  /// The controllers that requests were made of and that decided nothing in any order: no rule could
  /// judge them.
  private func silent(in exploration: Exploration) -> [ReplayDoubt] {
    let asked = Set(plan.scenario.requests.map(\.controller))
    return asked.subtracting(exploration.deciding).sorted().map { .silent(controller: $0) }
  }

  /// The tracks whose recorded messages can come in their recorded order alone, so that no answer can
  /// be found late.
  private var keptOrders: [ReplayDoubt] {
    guard options.codes?.contains(.lateAnswer) ?? true else { return [] }
    let scenario = plan.scenario
    return scenario.controllers.filter { track in
      let messages = scenario.messages.filter {
        $0.controller == track.id && $0.seq != 0 && $0.place == .anytime
      }
      return track.discipline == .moves && messages.count > 1
        && messages.allSatisfy { $0.origin == nil } && Set(messages.map(\.source)).count == 1
    }.map { .keptOrder(controller: $0.id) }
  }

  /// The tracks that moved when they were recorded, and do not move at all when that order is played.
  private func unmoved() throws -> [ReplayDoubt] {
    let scenario = plan.scenario
    let moving = scenario.controllers.map(\.id).filter { id in
      ReplayDoubt.hasToMove(
        moves: scenario.messages.count { $0.controller == id && $0.moves },
        findings: scenario.recorded.count { $0.controller == id })
    }
    if moving.isEmpty { return [] }
    let run = try ScheduleRun(plan)
    for message in scenario.messages { run.take(.make(message.id)) }
    return moving.filter { !run.log.deciding.contains($0) }.map { .unmoved(controller: $0) }
  }

  /// The rules that the recording breaks and no found order breaks.
  ///
  /// The recording is one of the orders. If the search does not find what happened in it, the
  /// search is in doubt.
  private func unmet(_ exploration: Exploration) -> [ReplayDoubt] {
    guard exploration.orders.isEmpty || options.isForEachRule else { return [] }
    let aim = search(plan).aim
    let met = exploration.orders.reduce(into: Set<RuleCode>()) { met, order in
      met.formUnion(order.codes)
      met.formUnion(order.findings.map(\.code))
    }
    var unmet: [RuleCode: ReplayDoubt] = [:]
    for finding in plan.scenario.recorded where aim.isWanted(finding) {
      let isSilence = finding.code.awaited != nil && !aim.namesSilence
      if isSilence || met.contains(finding.code) || unmet[finding.code] != nil { continue }
      if finding.code == .mirror, !plan.scenario.playsMirrors(of: finding.controller) {
        // A condition of the app's own may say the same.
        if met.isEmpty { unmet[.mirror] = .halfMirror(controller: finding.controller) }
        continue
      }
      unmet[finding.code] = .unmet(
        controller: finding.controller, seq: finding.seq, finding.code)
    }
    return RuleCode.allCases.compactMap { unmet[$0] }
  }

  private func search(_ limits: SearchLimits) throws -> Exploration {
    var limits = limits
    let parts = plan.scenario.independentParts
    guard parts.count > 1 else { return try search(plan).run(limits) }
    let explorations = try parts.map { part in
      let exploration = try search(ScenarioPlan(part, registry)).run(limits)
      limits.spend(on: exploration)
      // In the other parts only a shorter order counts.
      if !options.isForEachRule, let found = exploration.schedule?.count {
        limits.steps = found - 1
      }
      return exploration
    }
    return Exploration(explorations, of: plan.scenario, isForEach: options.isForEachRule)
  }

  /// Searches as if the controller could not be copied.
  ///
  /// - Parameter leavesOut: whether equivalent orders are skipped.
  func runByRun(leavesOut: Bool = true) throws -> Exploration {
    try search(plan).runByRun(SearchLimits(options) { _ in }, leavesOut: leavesOut)
  }

  private func search(_ plan: ScenarioPlan) -> ScenarioSearch {
    ScenarioSearch(
      plan: plan,
      aim: SearchAim(
        codes: options.codes, isForEach: options.isForEachRule, isMeant: isMeant),
      workers: options.workers)
  }

  /// A run of the shortest order that was found, to its end; `nil` if none was.
  public func run(of exploration: Exploration) throws -> ScheduleRun? {
    try exploration.orders.first.flatMap(run(of:))
  }

  /// A run that ends with an outcome; `nil` if it is not possible.
  public func run(of outcome: Outcome) throws -> ScheduleRun? {
    let run = try ScenarioPlan(outcome.scenario, registry).play(to: outcome)
    run.finish()
    return run.schedule == outcome.schedule ? run : nil
  }

  /// A run of an order that was found, to its end; `nil` if it is not possible.
  ///
  /// If the order breaks a rule before its end, deferred steps still run, and nothing else comes.
  public func run(of order: Exploration.Order) throws -> ScheduleRun? {
    let run = try ScenarioPlan(order.scenario, registry)
      .play(order.schedule, isAtEnd: order.isAtEnd)
    run?.stop()
    return run
  }
}

extension Scenario {
  /// Whether every track that a track mirrors is played, too.
  fileprivate func playsMirrors(of id: Int32) -> Bool {
    let mirrors = controllers.first { $0.id == id }?.snapshot.mirrors ?? []
    return mirrors.allSatisfy { mirror in
      controllers.count { $0.snapshot.mirrors?.contains { $0.pair == mirror.pair } ?? false } > 1
    }
  }
}
