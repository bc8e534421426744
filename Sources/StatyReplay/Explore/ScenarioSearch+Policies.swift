import Staty
import StatyRules

// Policies are values, and are searched state by state.
extension ScenarioSearch {
  /// What comes of searching a single policy; `nil` if that is not what the scenario is of.
  func byState(_ limits: SearchLimits) -> SearchOutcome? {
    guard plan.parts.count == 1, case .policy(let make) = plan.parts[0].entry else { return nil }
    guard var model = ModelPlan(plan, isRanked: !plan.isOurs) else { return nil }
    model.countsSilence = aim.namesSilence
    let policy = make(model.snapshot(plan.scenario)).policy
    // Of our own policies each has code of its own, or every step would go through tables of
    // witnesses.
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
  ) -> SearchOutcome {
    var outcome = layered(policy, model, limits, workers: workers)
    guard outcome.isShared, let last = outcome.found.last else { return outcome }
    // Which of several threads comes first is no matter of the scenario. Alone it takes the same way
    // each time, and has to go no further; if a limit keeps it from that, the other way is as short.
    var nearer = limits
    nearer.steps = last.schedule.count
    let alone = layered(policy, model, nearer, workers: 1)
    if alone.codes == outcome.codes { outcome.found = alone.found }
    outcome.bytes = max(outcome.bytes, alone.bytes)
    return outcome
  }

  private func layered<Policy: TransitionPolicy>(
    _ policy: Policy, _ model: ModelPlan, _ limits: SearchLimits, workers: Int
  ) -> SearchOutcome {
    let suspects = RuleCode.allCases.filter { aim.isWanted($0) || $0.severity == .error }
    let search = LayeredSearch(
      policy, model, limits, aim.goal, workers: workers, wanted: Suspicion(suspects)
    ) { [plan, aim] schedule, isAtEnd in
      guard let run = try? plan.play(schedule, isAtEnd: isAtEnd) else { return Judgement() }
      return Judgement(
        codes: Set(aim.findings(in: run).map(\.code)),
        isFaulty: run.certain.contains { $0.severity == .error })
    }
    search.run()
    return search.outcome
  }
}
