import Staty
import StatyHistory
import StatyRules

/// The search for the outcomes of a scenario: first the usual order, then those with one deviation
/// from it, then those with two, and so on.
///
/// The first order that leads to an outcome is thus its shortest explanation.
struct OutcomeSearch {
  let plan: ScenarioPlan
  let aim: SearchAim
  private let limits: OutcomeLimits
  private var found: Outcomes
  /// The ends of the outcomes.
  private var ends: [RunEnd] = []
  private var goal: SearchGoal
  /// The orders that were run: several plans may lead to one.
  private var orders: Set<Int> = []

  init(_ plan: ScenarioPlan, _ aim: SearchAim, _ limits: OutcomeLimits) {
    (self.plan, self.aim, self.limits) = (plan, aim, limits)
    found = Outcomes(scenario: plan.scenario)
    goal = aim.goal
  }

  /// Searches until nothing is left or a limit is reached.
  ///
  /// - Parameter progress: told the number of deviations and of runs.
  mutating func run(_ progress: (Int, Int) -> Void) throws -> Outcomes {
    var plans = DeviationPlans(most: limits.deviations)
    while !limits.isReached(found.runs, plans.bytes), let deviations = plans.nextPlan() {
      var order = PatientOrder(plan.scenario, deviations)
      guard let run = try play(&order) else { break }
      plans.note(order.ways, of: deviations)
      note(run, order.deviations, deviations)
      if found.runs == 1 { try noteRecorded() }
      if !found.doubts.isEmpty { break }
      progress(deviations.turns.count, found.runs)
    }
    found.complete = plans.complete
    found.isExhaustive = plans.isExhausted
    try confirm()
    return found
  }

  /// Plays an order; `nil` if the time was over before its end.
  private mutating func play(
    _ order: inout some Chooser<ScheduleRun, Step>
  ) throws -> ScheduleRun? {
    let run = try ScheduleRun(plan)
    var (isOver, steps) = (false, 0)
    run.play(&order) {
      steps += 1
      // To read the clock at each step would cost more than some steps.
      if steps & 63 == 0 { isOver = limits.isTimeOver }
      return !isOver
    }
    found.runs += 1
    return isOver ? nil : run
  }

  private mutating func note(
    _ run: ScheduleRun, _ deviations: [Deviation]?, _ plan: DeviationPlan?
  ) {
    found.deciding.formUnion(run.log.deciding)
    found.doubts.note(run.doubts)
    if run.isGivenUp { return }
    if orders.insert(run.schedule.hashValue).inserted { found.orders += 1 }
    let end = RunEnd(run)
    // What the controller does otherwise than it was recorded was not recorded.
    let scenario = self.plan.scenario
    let isRecorded =
      deviations == nil && scenario.parting == nil
      && !scenario.controllers.contains(where: \.isReplaced)
    found.namesOnly.formUnion(end.hiding)
    found.hiding.formUnion(end.hiding)
    let place = ends.firstIndex { $0.equals(end) }
    if let place {
      found.namesOnly.formUnion(ends[place].comparedByName(with: end))
      ends[place].learn(from: end)
      found.outcomes[place].note(deviations, plan, run.schedule, isRecorded: isRecorded)
    } else {
      ends.append(end)
      found.outcomes.append(
        Outcome(
          screens: end.screens, deviations: deviations ?? [], schedule: run.schedule,
          isRecorded: isRecorded, isOnlyRecorded: deviations == nil, plan: plan,
          scenario: scenario))
    }
    judge(run, deviations)
    found.doubts.note(run.doubts)
  }

  private mutating func judge(_ run: ScheduleRun, _ deviations: [Deviation]?) {
    let early = Set(aim.findings(in: run).map(\.code))
    let schedule = run.schedule
    run.finish()
    let findings = aim.findings(in: run)
    let codes = Set(findings.map(\.code)).intersection(goal.open)
    if codes.isEmpty { return }
    goal.open.subtract(codes)
    found.broken.append(
      .init(
        scenario: plan.scenario, schedule: schedule, isAtEnd: early.isDisjoint(with: codes),
        deviations: deviations, codes: codes, findings: findings))
  }

  /// Runs the recorded order, which is one of the possible ones.
  private mutating func noteRecorded() throws {
    guard !plan.scenario.recordedOrder.isEmpty else { return }
    var order = ListedOrder(plan.scenario.recordedOrder)
    if let run = try play(&order) { note(run, nil, nil) }
  }

  /// Runs the order of each outcome once more: if it ends otherwise, something decides that is not
  /// told.
  private mutating func confirm() throws {
    for (place, outcome) in found.outcomes.enumerated() {
      let run = try plan.play(to: outcome)
      guard run.schedule == outcome.schedule, RunEnd(run).equals(ends[place]) else {
        return found.doubts.append(.hiddenInput)
      }
    }
  }
}

extension ScenarioPlan {
  /// A run in the order that leads to an outcome.
  func play(to outcome: Outcome) throws -> ScheduleRun {
    let run = try ScheduleRun(self)
    if let deviations = outcome.plan {
      var order = PatientOrder(scenario, deviations)
      run.play(&order)
    } else {
      var order = ListedOrder(scenario.recordedOrder)
      run.play(&order)
    }
    return run
  }
}

extension Outcome {
  /// Notes that another order leads to it, too.
  fileprivate mutating func note(
    _ deviations: [Deviation]?, _ plan: DeviationPlan?, _ schedule: Schedule, isRecorded: Bool
  ) {
    if isRecorded { self.isRecorded = true }
    guard let deviations else { return }
    // The recorded order comes first, and is told by its deviations as soon as they are known.
    guard isOnlyRecorded else { return }
    (isOnlyRecorded, self.deviations, self.schedule) = (false, deviations, schedule)
    self.plan = plan
  }
}

/// How far a search for outcomes goes.
struct OutcomeLimits {
  /// The most deviations of an order.
  var deviations: Int
  var runs: Int
  var bytes: Int
  let deadline: ContinuousClock.Instant?

  func isReached(_ runs: Int, _ bytes: Int) -> Bool {
    if runs >= self.runs || bytes >= self.bytes { return true }
    return isTimeOver
  }

  var isTimeOver: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }
}
