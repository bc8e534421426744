import Staty
import StatyRules

/// The search for a smallest run: it removes requests, searches the rest for a shorter order, and
/// then searches every order with one request less.
struct MinimalSearch {
  /// What is left so far.
  private(set) var reduction: RequestReduction
  /// What prevented a search.
  private(set) var doubts: [ReplayDoubt] = []
  private var budget: MinimizerBudget
  private let registry: ControllerRegistry
  private let options: Minimizer.Options

  init(
    _ start: RequestReduction, _ registry: ControllerRegistry, _ options: Minimizer.Options,
    until deadline: ContinuousClock.Instant?, _ progress: @escaping (Minimizer.Progress) -> Void
  ) {
    reduction = start
    self.registry = registry
    self.options = options
    budget = MinimizerBudget(options, until: deadline, progress)
  }

  /// How many runs were made.
  var runs: Int { budget.spent }

  /// Continues until nothing more can be removed, or the budget is used up.
  ///
  /// - Returns: what is proven of ``reduction`` then.
  mutating func run() throws -> Minimization.Proof {
    while true {
      try reduction.run(&budget)
      if let cut = budget.cut {
        return Minimization.Proof(requests: .open(.limit(cut)), order: .open(.limit(cut)))
      }
      try leaveOutSteps()
      let order = try shorten()
      if let requests = try leaveOutOne() {
        return Minimization.Proof(requests: requests, order: order)
      }
    }
  }
}

// MARK: Orders

extension MinimalSearch {
  /// Removes reports of states and other optional steps if nothing depends on them.
  private mutating func leaveOutSteps() throws {
    guard !reduction.found.isAtEnd else { return }
    let order = reduction.found.order
    for place in order.indices.reversed() where !budget.isUsedUp {
      if case .make = order[place] { continue }
      var shorter = reduction.found.order
      guard place < shorter.count, shorter[place] == order[place] else { continue }
      shorter.remove(at: place)
      budget.spend(requests: reduction.scenario.removable.count)
      guard let found = try reduction.play(reduction.scenario, shorter, budget), !found.isAtEnd,
        found.schedule.count < reduction.found.schedule.count
      else { continue }
      reduction.shorten(found, reduction.scenario)
    }
  }

  /// Searches every order of what is left for a shorter one.
  private mutating func shorten() throws -> Minimization.Proof.Order {
    while true {
      let scenario = reduction.scenario
      let extent = Extent.within(reduction.found.schedule.count - 1)
      let search = try explored(scenario, extent, share: 2)
      if let found = search.found { reduction.shorten(found, scenario) }
      // Without the requests that a shorter order does not need, it may end earlier.
      if reduction.scenario == scenario {
        return search.obstacle.map { .open($0) } ?? .shortest
      }
    }
  }

  /// Searches every order without one request.
  ///
  /// If one has the finding, continues with it.
  ///
  /// - Returns: what is known of the requests; `nil` if one was removed.
  private mutating func leaveOutOne() throws -> Minimization.Proof.Requests? {
    var obstacle: Minimization.Obstacle?
    let units = reduction.units
    for (place, unit) in units.enumerated() {
      for rest in reduction.rests(without: [unit]) {
        if let cut = budget.cut { return .open(.limit(cut)) }
        // The order of the run is quick to try: it also has a place for what was requested inside
        // of the removed request.
        if let found = try reduction.play(rest, rest.keeping(reduction.found.order), budget) {
          reduction.shorten(found, rest)
          return nil
        }
        budget.spend(requests: reduction.scenario.removable.count)
        let search = try explored(rest, .all, share: max(2, 2 * (units.count - place)))
        if let found = search.found {
          reduction.shorten(found, rest)
          return nil
        }
        obstacle = obstacle ?? search.obstacle
      }
    }
    return obstacle.map { .runOrder($0) } ?? .everyOrder
  }
}

// MARK: Searching

extension MinimalSearch {
  /// The orders to search.
  private enum Extent {
    /// Those of at most so many steps.
    case within(Int)
    case all
  }

  private struct Search {
    /// A shortest order that was found.
    var found: SoughtRun.Found?
    /// What prevented a proof that no other order exists: no shorter one than the found one, or
    /// none at all if none was found.
    var obstacle: Minimization.Obstacle?
  }

  /// Searches every order of a scenario.
  ///
  /// - Parameter share: which part of the budget may be used.
  private mutating func explored(
    _ scenario: Scenario, _ extent: Extent, share: Int
  ) throws -> Search {
    if let cut = budget.cut { return Search(obstacle: .limit(cut)) }
    var explorer = try Explorer(scenario, registry: registry, options: limits(extent, share))
    explorer.isOfWhole = false
    explorer.isMeant = { [kept = reduction.kept] in kept.matches($0, in: $1) }
    let exploration = try explorer.run { [budget] in budget.tell(searched: $0.states) }
    if exploration.method == .runs {
      budget.spend(exploration.transitions, requests: scenario.removable.count)
    }
    doubts.note(exploration.doubts)
    let obstacle = obstacle(exploration, extent)
    guard let schedule = exploration.schedule else { return Search(obstacle: obstacle) }
    guard let found = try replayed(schedule, exploration.isAtEnd, scenario) else {
      // Found once and not again: the controller decides by something that it is not told.
      if !doubts.contains(.hiddenInput) { doubts.append(.hiddenInput) }
      return Search(obstacle: .doubt(.hiddenInput))
    }
    return Search(found: found, obstacle: exploration.isShortest ? nil : obstacle)
  }

  private func limits(_ extent: Extent, _ share: Int) -> Explorer.Options {
    var limits = Explorer.Options()
    limits.codes = [reduction.kept.key.code]
    limits.mostSteps = options.mostSteps
    if case .within(let steps) = extent { limits.mostSteps = min(steps, options.mostSteps) }
    limits.mostRuns = max(1, budget.runs / share)
    limits.mostStates = 20 * limits.mostRuns
    limits.mostBytes = options.mostBytes
    limits.time = budget.time.map { $0 / share }
    limits.workers = 1
    return limits
  }

  /// What prevented a search of all the orders.
  private func obstacle(
    _ exploration: Exploration, _ extent: Extent
  ) -> Minimization.Obstacle? {
    if let doubt = exploration.doubts.first { return .doubt(doubt) }
    switch exploration.cut {
    case nil: return nil
    case .steps:
      // The wanted length is no limit of the search.
      if case .within(let steps) = extent, steps <= options.mostSteps { return nil }
      return .limit(.steps)
    // The limit of states follows from the limit of runs.
    case .runs, .states: return .limit(.runs)
    case .memory: return .limit(.memory)
    case .time: return .limit(.time)
    }
  }

  /// A run of an order that was searched for.
  private func replayed(
    _ schedule: Schedule, _ isAtEnd: Bool, _ scenario: Scenario
  ) throws -> SoughtRun.Found? {
    let run = try ScheduleRun.following(schedule, of: scenario, registry)
    if isAtEnd { run.finish() }
    let finding = run.findings.first { reduction.kept.matches($0, in: run) }
    guard let finding else { return nil }
    return SoughtRun.Found(
      schedule: run.schedule, order: run.order, isAtEnd: isAtEnd, finding: finding,
      made: run.made, used: run.order.count)
  }
}
