import StatyHistory
import Staty
import StatyRules

/// The search of every order of one scenario.
struct ScenarioSearch {
  let plan: ScenarioPlan
  let aim: SearchAim
  /// How many threads search the states of a policy.
  let workers: Int

  /// Searches state by state if the controller is a policy, else run by run.
  func run(_ limits: SearchLimits) throws -> Exploration {
    guard let outcome = byState(limits) else { return try runByRun(limits) }
    guard outcome.isBeyond, !outcome.isSatisfied, outcome.cut == nil, outcome.doubts.isEmpty else {
      return try exploration(outcome, .states)
    }
    // No shorter order breaks a rule. For the rest, no two states may count as one.
    var search = byRun(outcome.goal, limits)
    try search.run()
    var runs = search.outcome
    runs.found = outcome.found + runs.found
    runs.bytes = max(runs.bytes, outcome.bytes)
    return try exploration(runs, .runs)
  }

  /// Searches as if the controller could not be copied.
  ///
  /// - Parameter leavesOut: whether equivalent orders are skipped.
  func runByRun(_ limits: SearchLimits, leavesOut: Bool = true) throws -> Exploration {
    var search = byRun(aim.goal, limits, leavesOut: leavesOut)
    try search.run()
    return try exploration(search.outcome, .runs)
  }

  private func byRun(
    _ goal: SearchGoal, _ limits: SearchLimits, leavesOut: Bool = true
  ) -> ScheduleSearch {
    ScheduleSearch(plan, limits, goal, leavesOut: leavesOut) { [aim] in
      Set(aim.findings(in: $0).map(\.code))
    }
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
    exploration.depth = max(outcome.depth, outcome.found.map(\.schedule.count).max() ?? 0)
    exploration.bytes = outcome.bytes
    exploration.isSatisfied = outcome.isSatisfied
    // A policy that is searched by its states decides what comes of each request.
    exploration.deciding = method == .runs ? outcome.deciding : Set(plan.records.map(\.id))
    for found in outcome.found {
      let run = try plan.play(found.schedule, isAtEnd: found.isAtEnd)
      let findings = run.map(aim.findings) ?? []
      guard findings.contains(where: { found.codes.contains($0.code) }) else {
        // The same order does something else now.
        if !exploration.doubts.contains(.hiddenInput) { exploration.doubts.append(.hiddenInput) }
        continue
      }
      exploration.orders.append(
        .init(
          scenario: plan.scenario, schedule: found.schedule, isAtEnd: found.isAtEnd,
          codes: found.codes, findings: findings))
    }
    return exploration
  }
}

extension ScenarioPlan {
  /// A run of a schedule; `nil` if it is not possible.
  func play(_ schedule: Schedule, isAtEnd: Bool) throws -> ScheduleRun? {
    let run = try ScheduleRun(self)
    for step in schedule {
      guard run.take(step) else { return nil }
    }
    if isAtEnd { run.finish() }
    return run
  }
}
