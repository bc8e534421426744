import Staty
public import StatyRules

extension Coverage {
  /// What random orders of a scenario touch.
  ///
  /// An exploration leaves out what comes to the same, so it does not say what was touched on the way.
  /// These are whole runs, each with its steps chosen by chance: what they do not touch may still be
  /// touched by another order.
  ///
  /// - Parameters:
  ///   - orders: how many are tried.
  ///   - seed: which; the same seed tries the same orders.
  /// - Throws: a `RegistryError` if there is no controller of a name, or what its factory throws.
  public init(
    trying orders: Int, of scenario: Scenario, registry: ControllerRegistry = ControllerRegistry(),
    seed: UInt64 = 1
  ) throws {
    self.init()
    let plan = try ScenarioPlan(scenario, registry)
    var chance = Chance(state: seed)
    for _ in 0..<orders {
      let run = try ScheduleRun(plan)
      for _ in 0..<Self.mostSteps {
        let steps = run.possible
        // What need not come may stay away.
        if steps.isEmpty || run.isAtEnd && chance.below(4) == 0 { break }
        run.takePossible(steps[chance.below(steps.count)])
      }
      merge(run.coverage)
    }
  }

  private static var mostSteps: Int { 1_000 }
}

extension ScheduleRun {
  /// What was touched so far.
  public var coverage: Coverage {
    var session = SessionCoverage(controllers: controllers)
    session.learn(names: names)
    for row in events { session.take(row) }
    return session.coverage(names: names)
  }
}

/// Numbers that follow from the first.
private struct Chance {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}
