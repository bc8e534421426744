import StatyReplay
import StatySpecimens

/// Runs all orders of a scenario one by one from the beginning.
///
/// The results of a search, which leaves most orders out, are compared with these.
struct EveryOrder {
  let scenario: Scenario
  let registry: ControllerRegistry
  /// The number of runs.
  private(set) var runs = 0

  init(_ scenario: Scenario, _ registry: ControllerRegistry = .withSpecimens) {
    self.scenario = scenario
    self.registry = registry
  }

  /// Whether a condition holds after an order of at most this many steps, or at its end.
  mutating func contains(
    within steps: Int, _ isSo: (ScheduleRun) throws -> Bool
  ) throws -> Bool {
    try look(after: [], steps, isSo)
  }

  private mutating func look(
    after way: Schedule, _ left: Int, _ isSo: (ScheduleRun) throws -> Bool
  ) throws -> Bool {
    runs += 1
    let run = try ScheduleRun(scenario, registry: registry)
    for step in way { run.take(step) }
    if try isSo(run) { return true }
    let possible = run.possible
    if run.isAtEnd {
      run.finish()
      if try isSo(run) { return true }
    }
    if left == 0 { return false }
    for step in possible where try look(after: way + [step], left - 1, isSo) { return true }
    return false
  }
}
