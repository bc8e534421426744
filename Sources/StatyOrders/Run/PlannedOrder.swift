internal import StatyReplay

/// Chooses what a patient user lives to see, but for the turns of a plan.
struct PlannedOrder: Chooser {
  let plan: DeviationPlan
  private var taken = 0
  private var isImpossible = false

  init(plan: DeviationPlan) { self.plan = plan }

  /// Whether not every turn of the plan could be taken.
  var isAstray: Bool { isImpossible || taken < plan.turns.count }

  mutating func next(in run: WorldRun) -> WorldRun.Way? {
    guard run.possible.count > 1 else { return run.possible.first }
    let way = plan.way(at: run.decisions.count)
    if way == 0 { return run.possible[0] }
    taken += 1
    if way >= run.possible.count { isImpossible = true }
    return run.possible[way < run.possible.count ? way : 0]
  }
}

/// Chooses each possible way with the same probability.
struct RandomOrder: Chooser {
  /// What was chosen.
  private(set) var plan = DeviationPlan()
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next(in run: WorldRun) -> WorldRun.Way? {
    guard run.possible.count > 1 else { return run.possible.first }
    let way = Int(random() % UInt64(run.possible.count))
    if way > 0 { plan = plan.and(way, at: run.decisions.count) }
    return run.possible[way]
  }

  /// SplitMix64: each seed gives another sequence, also one that is greater by 1.
  private mutating func random() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
