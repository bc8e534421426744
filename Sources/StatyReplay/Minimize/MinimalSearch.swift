import Staty
import StatyRules

/// Makes a run as small as it gets: takes requests out, searches what is left for a shorter order,
/// and then every order of what is left without one more.
struct MinimalSearch {
  private(set) var reduction: RequestReduction
  private(set) var proof = Minimization.Proof.none
  private(set) var isShortest = false
  private(set) var doubts: [ReplayResult.Doubt] = []
  /// What was used up before everything was tried.
  private(set) var cut: Exploration.Cut?
  private var budget: MinimizerBudget
  private let registry: ControllerRegistry
  private let options: Minimizer.Options

  init(
    _ start: RequestReduction, _ registry: ControllerRegistry, _ options: Minimizer.Options,
    _ progress: @escaping (Minimizer.Progress) -> Void
  ) {
    reduction = start
    self.registry = registry
    self.options = options
    budget = MinimizerBudget(options, progress)
  }

  /// How many runs were made.
  var runs: Int { budget.spent }

  mutating func run() throws {
    repeat {
      try reduction.run(&budget)
      if budget.isUsedUp { return cut = budget.cut }
      try leaveOutSteps()
      try shorten()
    } while try needsFewer()
    if budget.isUsedUp { cut = cut ?? budget.cut }
  }
}

// MARK: Orders

extension MinimalSearch {
  /// Leaves out what states say, and whatever else nobody asks for, if nothing depends on it.
  private mutating func leaveOutSteps() throws {
    guard !reduction.found.isAtEnd else { return }
    let order = reduction.found.order
    for place in order.indices.reversed() where !budget.isUsedUp {
      if case .make = order[place] { continue }
      var shorter = reduction.found.order
      guard place < shorter.count, shorter[place] == order[place] else { continue }
      shorter.remove(at: place)
      budget.spend(requests: reduction.scenario.removable.count)
      guard let found = try reduction.play(reduction.scenario, shorter), !found.isAtEnd,
        found.schedule.count < reduction.found.schedule.count
      else { continue }
      reduction.shorten(found, reduction.scenario)
    }
  }

  /// Searches every order of what is left for a shorter one.
  private mutating func shorten() throws {
    var scenario: Scenario
    repeat {
      scenario = reduction.scenario
      let steps = reduction.found.schedule.count - 1
      let search = try explored(scenario, steps: steps, isAll: false, share: 2)
      if let found = search.found { reduction.shorten(found, scenario) }
      isShortest = search.isProven
      if !search.isProven { cut = search.cut }
      // Without the requests that a shorter one does not need, an order may end sooner.
    } while reduction.scenario != scenario
  }

  /// Searches every order without one request; if the violation is in one, goes on with that.
  private mutating func needsFewer() throws -> Bool {
    var isEveryOrder = true
    let units = reduction.units
    for (place, unit) in units.enumerated() {
      for rest in reduction.rests(without: [unit]) {
        if budget.isUsedUp {
          cut = budget.cut
          return false
        }
        // In the order that is known it is quickly tried.
        if let found = try reduction.play(rest, rest.keeping(reduction.order)) {
          reduction.shorten(found, rest)
          return true
        }
        budget.spend(requests: reduction.scenario.removable.count)
        let search = try explored(
          rest, steps: options.mostSteps, isAll: true, share: max(2, 2 * (units.count - place)))
        if let found = search.found {
          reduction.shorten(found, rest)
          return true
        }
        if !search.isProven {
          isEveryOrder = false
          cut = cut ?? search.cut
        }
      }
    }
    proof = isEveryOrder ? .everyOrder : .runOrder
    return false
  }

  private struct Search {
    /// A shortest order that was found.
    var found: OrderedRun.Found?
    /// Whether it was shown that there is no other: none that is shorter than the one that was found,
    /// or if none was, none at all.
    var isProven: Bool
    var cut: Exploration.Cut?
  }

  /// Searches every order of a scenario.
  ///
  /// - Parameters:
  ///   - steps: how many steps an order may have.
  ///   - isAll: whether longer orders are meant, too.
  ///   - share: which part of the budget may be used.
  private mutating func explored(
    _ scenario: Scenario, steps: Int, isAll: Bool, share: Int
  ) throws -> Search {
    if budget.isUsedUp { return Search(isProven: false, cut: budget.cut) }
    var limits = Explorer.Options()
    limits.codes = [reduction.meant.code]
    limits.mostSteps = min(steps, options.mostSteps)
    limits.mostRuns = max(1, budget.runs / share)
    limits.mostStates = 20 * limits.mostRuns
    limits.time = budget.time.map { $0 / share }
    limits.workers = 1
    var explorer = try Explorer(scenario, registry: registry, options: limits)
    explorer.isMeant = { [violation = reduction.meant] in violation.isSame($0, in: $1) }
    let exploration = try explorer.run { [budget] in budget.tell(searched: $0.states) }
    if exploration.method == .runs {
      budget.spend(exploration.transitions, requests: scenario.removable.count)
    }
    for doubt in exploration.doubts where !doubts.contains(doubt) { doubts.append(doubt) }
    guard let schedule = exploration.schedule else {
      let isEnough =
        exploration.cut == nil
        || exploration.cut == .steps && !isAll && steps <= options.mostSteps
      return Search(isProven: isEnough && exploration.doubts.isEmpty, cut: exploration.cut)
    }
    let found = try replayed(schedule, exploration.isAtEnd, scenario)
    // Found once and not again: it decides by something beside what it is told.
    if found == nil, !doubts.contains(.hiddenInput) { doubts.append(.hiddenInput) }
    return Search(
      found: found, isProven: found != nil && exploration.isShortest, cut: exploration.cut)
  }

  /// A run of an order that was searched for.
  private func replayed(
    _ schedule: Schedule, _ isAtEnd: Bool, _ scenario: Scenario
  ) throws -> OrderedRun.Found? {
    let run = try ScheduleRun.following(schedule, of: scenario, registry)
    if isAtEnd { run.finish() }
    let finding = run.violations.first { reduction.meant.isSame($0, in: run) }
    guard let finding else { return nil }
    return OrderedRun.Found(
      schedule: run.schedule, order: run.order, isAtEnd: isAtEnd, finding: finding,
      made: run.made, used: run.order.count, events: run.events.count)
  }
}
