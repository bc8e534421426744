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
    /// At least one has to be about what is played: see `RuleCode.isPlayed`.
    public var codes: Set<RuleCode>?
    /// Whether the search goes on until it has a shortest order for each rule that is broken in any;
    /// by default it ends with the first.
    public var isForEachRule = false
    /// How many steps a schedule may have.
    public var mostSteps = 1_000
    /// How many runs are made of controllers that cannot be copied, in all.
    public var mostRuns = 1_000_000
    /// How many states of a policy are remembered.
    public var mostStates = 20_000_000
    /// How many bytes a search may hold to know what it has seen and where it goes on.
    ///
    /// It ends before it would hold more. What a policy holds outside of itself, such as the line of
    /// those who wait, is estimated. Of a state that was gone on from 18 to 36 bytes are kept; of one
    /// that is still to be gone on from about a kilobyte.
    public var mostBytes = 1_000_000_000
    /// How long it may take; `nil` for as long as it takes.
    public var time: Duration? = .seconds(60)
    /// How many threads search the states of a policy.
    public var workers = 2

    /// The usual: errors, and as far as `staty explore` goes where nothing is said.
    ///
    /// A queue is searched with eight requests by then, a class of an app's own with three or four. A
    /// search that is cut has not passed.
    public init() {}
  }

  /// How far a search has come.
  public struct Progress: Hashable, Sendable {
    /// How many steps the schedules have that are looked at now.
    public internal(set) var depth: Int
    /// How many states were seen, or runs made.
    public internal(set) var states: Int
  }

  private let plan: ScenarioPlan
  private let registry: ControllerRegistry
  private let options: Options
  /// Which findings of the rules that are meant the search is for.
  var isMeant: (Finding, ScheduleRun) -> Bool = { _, _ in true }

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

  /// Searches; controllers that have nothing to do with each other one after the other, because no
  /// order of theirs among each other matters.
  ///
  /// - Parameter progress: called now and then.
  /// - Throws: what a controller's factory throws.
  public func run(
    _ progress: @escaping (Progress) -> Void = { _ in }
  ) throws -> Exploration {
    var exploration = try search(progress)
    exploration.doubts += unmet(exploration)
    return exploration
  }

  /// What the recording breaks and no order that was found does.
  ///
  /// The recording is one of the orders: if the search does not meet what happened in it, it has searched
  /// something else.
  private func unmet(_ exploration: Exploration) -> [ReplayDoubt] {
    guard exploration.orders.isEmpty || options.isForEachRule else { return [] }
    let aim = search(plan).aim
    let met = exploration.orders.reduce(into: Set<RuleCode>()) { met, order in
      met.formUnion(order.codes)
      met.formUnion(order.violations.map(\.code))
    }
    var unmet: [RuleCode: ReplayDoubt] = [:]
    for finding in plan.scenario.recorded where aim.isWanted(finding.code) {
      let isSilence = finding.code.awaited != nil && !aim.namesSilence
      if isSilence || met.contains(finding.code) || unmet[finding.code] != nil { continue }
      unmet[finding.code] = .unmet(
        controller: finding.controller, seq: finding.seq, finding.code)
    }
    return RuleCode.allCases.compactMap { unmet[$0] }
  }

  private func search(_ progress: @escaping (Progress) -> Void) throws -> Exploration {
    var limits = SearchLimits(options, progress)
    let parts = plan.scenario.independentParts
    guard parts.count > 1 else { return try search(plan).run(limits) }
    let explorations = try parts.map { part in
      let exploration = try search(ScenarioPlan(part, registry)).run(limits)
      limits.spend(on: exploration)
      // Of the others only a shorter one is wanted.
      if !options.isForEachRule, let found = exploration.schedule?.count {
        limits.steps = found - 1
      }
      return exploration
    }
    return Exploration(explorations, of: plan.scenario, isForEach: options.isForEachRule)
  }

  /// Searches as if the controller could not be copied.
  ///
  /// - Parameter leavesOut: whether orders are left out that come to the same as another.
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

  /// A run of an order that was found, to its end; `nil` if it is not possible.
  public func run(of order: Exploration.Order) throws -> ScheduleRun? {
    try ScenarioPlan(order.scenario, registry).play(order.schedule, isAtEnd: true)
  }
}
