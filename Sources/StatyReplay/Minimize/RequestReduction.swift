import Staty
import StatyRules

/// Removes requests from a run while it shows the same finding: first most that are far from it,
/// then halves, quarters and so on, then single ones.
///
/// It removes a request with everything that was requested because of it. If the finding needs
/// one of those, it removes the request alone, and the others then have no origin.
struct RequestReduction {
  /// The scenario that is left.
  private(set) var scenario: Scenario
  /// The order that it is run in.
  private(set) var order: Schedule
  /// The run of that order.
  private(set) var found: SoughtRun.Found
  /// What every smaller run has to show.
  let kept: KeptFinding
  /// Whether the recording breaks the rule in another way.
  let isInAnotherWay: Bool
  private let registry: ControllerRegistry
  private let mostEvents: Int
  private let protected: Set<Int>

  /// Makes the first run, with all requests; `nil` if the finding does not happen.
  ///
  /// - Parameters:
  ///   - deadline: when the run ends at the latest.
  ///   - recorded: the finding to keep; if it is not known yet, the first that `search` accepts.
  init?(
    _ scenario: Scenario, _ order: Schedule, _ registry: ControllerRegistry, mostEvents: Int,
    until deadline: ContinuousClock.Instant?, _ recorded: KeptFinding?,
    orFirst search: @escaping SoughtRun.Search
  ) throws {
    var kept: KeptFinding?
    func first(_ isMeant: @escaping SoughtRun.Search) throws -> SoughtRun.Found? {
      try SoughtRun.play(
        scenario, order, registry, mostEvents: mostEvents, until: deadline
      ) { finding, run in
        guard isMeant(finding, run) else { return false }
        kept = KeptFinding(finding, in: run)
        return true
      }
    }
    var isBroken = false
    let same = try first { finding, run in
      guard let recorded else { return search(finding, run) }
      isBroken = isBroken || recorded.key.matches(finding, in: run)
      return recorded.matches(finding, in: run)
    }
    let other = try isBroken && same == nil ? recorded.flatMap { try first($0.key.matches) } : nil
    guard let found = same ?? other, let kept else { return nil }
    isInAnotherWay = same == nil
    self.scenario = scenario
    self.order = order
    self.found = found
    self.kept = kept
    self.registry = registry
    self.mostEvents = mostEvents
    protected = kept.key.needed
    keep(found, scenario, order)
  }

  /// What can be removed one by one, the earliest first.
  var units: [Int] {
    let removable = Set(scenario.removable).subtracting(protected)
    var seen: Set<Int> = []
    return order.compactMap { step in
      guard case .make(let id) = step, removable.contains(id), seen.insert(id).inserted else {
        return nil
      }
      return id
    } + scenario.removable.filter { removable.contains($0) && !seen.contains($0) }
  }

  /// Removes what it can, until the budget is used up.
  mutating func run(_ budget: inout MinimizerBudget) throws {
    try cutToNeighbours(&budget)
    try sweep(&budget)
  }

  /// The scenarios without these, with and without their dependents; none if the finding needs
  /// them.
  func rests(without gone: Set<Int>) -> [Scenario] {
    let gone = gone.subtracting(protected)
    if gone.isEmpty { return [] }
    let all = scenario.withDependents(gone)
    let ways = (all == gone ? [all] : [all, gone]).filter(protected.isDisjoint)
    let rests = ways.map { scenario.without($0, keeping: kept.key.controller) }
    return rests.first == rests.last ? Array(rests.prefix(1)) : rests
  }

  /// Continues with a shorter run.
  mutating func shorten(_ shorter: SoughtRun.Found, _ scenario: Scenario) {
    var shorter = shorter
    // This order is new, and no part of the earlier one.
    shorter.used = shorter.order.count
    keep(shorter, scenario, shorter.order)
  }

  private mutating func keep(
    _ found: SoughtRun.Found, _ scenario: Scenario, _ order: Schedule
  ) {
    self.found = found
    self.scenario = scenario
    self.order = order
    guard !found.isAtEnd else { return }
    // Requests that were not made by then are not needed.
    let unmade = Set(scenario.removable).subtracting(found.made).subtracting(protected)
    self.order = Array(order.prefix(found.used))
    if unmade.isEmpty { return }
    self.scenario = scenario.without(unmade, keeping: kept.key.controller)
    self.order = self.scenario.keeping(self.order)
  }
}

// MARK: Attempts

extension RequestReduction {
  private mutating func attempt(
    without gone: Set<Int>, _ budget: inout MinimizerBudget
  ) throws -> Bool {
    for rest in rests(without: gone) {
      if try attempt(rest, &budget) { return true }
    }
    return false
  }

  private mutating func attempt(
    _ rest: Scenario, _ budget: inout MinimizerBudget
  ) throws -> Bool {
    if budget.isUsedUp { return false }
    let order = rest.keeping(order)
    let found = try play(rest, order, budget)
    budget.spend(requests: units.count + protected.count)
    guard let found else { return false }
    keep(found, rest, order)
    return true
  }

  /// Plays the scenario; `nil` if the finding does not happen in the time that is left.
  func play(
    _ rest: Scenario, _ order: Schedule, _ budget: MinimizerBudget
  ) throws -> SoughtRun.Found? {
    try SoughtRun.play(rest, order, registry, mostEvents: mostEvents, until: budget.deadline) {
      [kept] in kept.matches($0, in: $1)
    }
  }

  /// Keeps what happened shortly before and after the visits of the finding, and before the end:
  /// that is often enough, and quick to try.
  private mutating func cutToNeighbours(_ budget: inout MinimizerBudget) throws {
    let steps = order.compactMap { if case .make(let id) = $0 { id } else { nil } }
    let places = steps.indices.filter { protected.contains(steps[$0]) } + [steps.count]
    let all = Set(units)
    var radius = 1
    while radius * places.count < all.count / 2, !budget.isUsedUp {
      var near: Set<Int> = []
      for place in places {
        near.formUnion(steps[max(0, place - radius)..<min(steps.count, place + radius)])
      }
      let rest = scenario.without(all.subtracting(near), keeping: kept.key.controller)
      if try attempt(rest, &budget) { return }
      radius *= 2
    }
  }

  /// Tries without halves, quarters and so on, the latest first.
  private mutating func sweep(_ budget: inout MinimizerBudget) throws {
    var size = max(1, units.count / 2)
    while !budget.isUsedUp {
      var isSmaller = false
      var units = units
      var end = units.count
      while end > 0, !budget.isUsedUp {
        let start = max(0, end - size)
        if try attempt(without: Set(units[start..<end]), &budget) {
          isSmaller = true
          // Others may have been removed with them.
          let before = Set(units[..<start])
          units = self.units
          end = units.lastIndex { before.contains($0) }.map { $0 + 1 } ?? 0
        } else {
          end = start
        }
      }
      if size == 1, !isSmaller { return }
      size = max(1, size / 2)
    }
  }
}
