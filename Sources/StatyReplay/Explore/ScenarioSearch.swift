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
    guard let result = byState(limits) else { return try runByRun(limits) }
    guard result.isBeyond, !result.isSatisfied, result.cut == nil, result.doubts.isEmpty else {
      return try exploration(result, .states)
    }
    // No shorter order breaks a rule. For the rest, no two states may count as one.
    var search = byRun(result.goal, limits)
    try search.run()
    var runs = search.result
    runs.found = result.found + runs.found
    runs.bytes = max(runs.bytes, result.bytes)
    return try exploration(runs, .runs)
  }

  /// Searches as if the controller could not be copied.
  ///
  /// - Parameter leavesOut: whether equivalent orders are skipped.
  func runByRun(_ limits: SearchLimits, leavesOut: Bool = true) throws -> Exploration {
    var search = byRun(aim.goal, limits, leavesOut: leavesOut)
    try search.run()
    return try exploration(search.result, .runs)
  }

  private func byRun(
    _ goal: SearchGoal, _ limits: SearchLimits, leavesOut: Bool = true
  ) -> ScheduleSearch {
    ScheduleSearch(plan, limits, goal, leavesOut: leavesOut) { [aim] in
      Set(aim.findings(in: $0).map(\.code))
    }
  }

  private func exploration(
    _ result: SearchResult, _ method: Exploration.Method
  ) throws -> Exploration {
    var exploration = Exploration(method, of: plan.scenario)
    exploration.cut = result.cut
    exploration.doubts = plan.scenario.doubts + result.doubts
    exploration.states = result.states
    exploration.transitions = result.transitions
    exploration.pruned = result.pruned
    exploration.depth = max(result.depth, result.found.map(\.schedule.count).max() ?? 0)
    exploration.bytes = result.bytes
    exploration.isSatisfied = result.isSatisfied
    // A policy that is searched by its states decides what comes of each request.
    exploration.deciding = method == .runs ? result.deciding : Set(plan.records.map(\.id))
    for found in result.found {
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
