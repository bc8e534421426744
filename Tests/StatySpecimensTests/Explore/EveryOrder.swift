import StatyReplay
import StatySpecimens

/// Every order of a scenario, run one by one from the beginning with none left out: what a search, which
/// leaves out a great deal, is held against.
struct EveryOrder {
  let scenario: Scenario
  let registry: ControllerRegistry
  /// How many runs were made.
  private(set) var runs = 0

  init(_ scenario: Scenario, _ registry: ControllerRegistry = .withSpecimens) {
    self.scenario = scenario
    self.registry = registry
  }

  /// Whether something is so after some order of at most so many steps, or when nothing comes after it.
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
