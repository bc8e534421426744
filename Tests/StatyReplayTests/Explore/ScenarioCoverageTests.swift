import Staty
import StatyReplay
import StatyRules
import Testing

/// What random orders touch, against all orders.
@Suite struct ScenarioCoverageTests {
  private func touchedByAll(_ scenario: Scenario) throws -> Coverage {
    var coverage = Coverage()
    var beginnings: [Schedule] = [[]]
    while let beginning = beginnings.popLast() {
      let run = try ScheduleRun(scenario)
      for step in beginning { run.take(step) }
      coverage.merge(run.coverage)
      beginnings += run.possible.map { beginning + [$0] }
    }
    return coverage
  }

  private func pairs(_ coverage: Coverage) -> Set<ControllerCoverage.Pair> {
    Set(coverage.controllers.values.flatMap(\.pairs.keys))
  }

  @Test(arguments: ["queue", "latest", "immediate"])
  func `enough of them touch what all of them do`(_ kind: String) throws {
    var scenario = Scenario(kind)
    scenario.ask("loading") { $0.leaves = true }
    scenario.ask("alert") { $0.repeats = [.exited] }
    scenario.cancel(.request(1))
    let all = pairs(try touchedByAll(scenario))
    #expect(pairs(try Coverage(trying: 3_000, of: scenario)) == all)
    #expect(pairs(try Coverage(trying: 3, of: scenario)).isStrictSubset(of: all))
  }

  @Test func `a seed tries the same orders again`() throws {
    var scenario = Scenario("queue")
    for state in ["a", "b", "c"] as [StateName] { scenario.ask(state) }
    let first = try Coverage(trying: 20, of: scenario, seed: 7)
    #expect(try Coverage(trying: 20, of: scenario, seed: 7) == first)
    #expect(try Coverage(trying: 20, of: scenario, seed: 8) != first)
  }
}
