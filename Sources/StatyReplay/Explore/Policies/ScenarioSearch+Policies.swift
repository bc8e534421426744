import Staty
import StatyRules

// Policies are values, and are searched state by state.
extension ScenarioSearch {
  /// Searches a single policy; `nil` if the scenario is not of a single policy.
  func byState(_ limits: SearchLimits) -> SearchResult? {
    guard plan.parts.count == 1, case .policy(let make) = plan.parts[0].entry else { return nil }
    guard var model = ModelPlan(plan, isRanked: !plan.isOurs) else { return nil }
    model.countsSilence = aim.namesSilence
    let policy = make(model.snapshot(plan.scenario)).policy
    // Each of our own policies is specialized: otherwise every step would go through witness
    // tables.
    return switch policy {
    case let policy as QueuePolicy: layered(policy, model, limits)
    case let policy as LatestPolicy: layered(policy, model, limits)
    case let policy as RejectPolicy: layered(policy, model, limits)
    case let policy as PriorityPolicy: layered(policy, model, limits)
    case let policy as CoalescePolicy: layered(policy, model, limits)
    case let policy as ImmediatePolicy: layered(policy, model, limits)
    default: layered(policy, model, limits)
    }
  }

  private func layered<Policy: TransitionPolicy>(
    _ policy: Policy, _ model: ModelPlan, _ limits: SearchLimits
  ) -> SearchResult {
    var result = layered(policy, model, limits, workers: workers)
    guard result.isShared, let last = result.found.last else { return result }
    // Which of several threads finds an order first is chance. One thread finds the same order each
    // time and searches no further. If a limit stops it before that, the other order is as short.
    var nearer = limits
    nearer.steps = last.schedule.count
    let alone = layered(policy, model, nearer, workers: 1)
    if alone.codes == result.codes { result.found = alone.found }
    result.bytes = max(result.bytes, alone.bytes)
    return result
  }

  private func layered<Policy: TransitionPolicy>(
    _ policy: Policy, _ model: ModelPlan, _ limits: SearchLimits, workers: Int
  ) -> SearchResult {
    let suspects = RuleCode.allCases.filter { aim.isWanted($0) || $0.severity == .error }
    let search = LayeredSearch(
      policy, model, limits, aim.goal, workers: workers, wanted: Suspicion(suspects)
    ) { [plan, aim] schedule, isAtEnd in
      guard let run = try? plan.play(schedule, isAtEnd: isAtEnd) else {
        return Judgement(isPlayed: false)
      }
      return Judgement(
        codes: Set(aim.findings(in: run).map(\.code)),
        isFaulty: run.certain.contains { $0.severity == .error })
    }
    search.run()
    return search.result
  }
}
