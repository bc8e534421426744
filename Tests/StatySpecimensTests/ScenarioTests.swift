import Staty
import StatyReplay
import StatyRules
import StatySpecimens
import Testing

/// Each specimen shows its faults, and its recordings are reproduced.
@Suite struct ScenarioTests {
  @Test(arguments: SpecimenScenario.all.map(\.name))
  func `a scenario's recording breaks the rule that names its fault`(_ name: String) throws {
    let scenario = try #require(SpecimenScenario.all.first { $0.name == name })
    let history = try SpecimenHistory(scenario)
    let codes = Set(try history.findings().map(\.code.rawValue))
    let words = try history.words()
    if let code = scenario.code {
      #expect(codes.contains(code), "\(words)")
    } else {
      #expect(codes.isEmpty)
    }
  }

  @Test(arguments: SpecimenScenario.all.map(\.name))
  func `a scenario's recording is reproduced`(_ name: String) throws {
    let scenario = try #require(SpecimenScenario.all.first { $0.name == name })
    let history = try SpecimenHistory(scenario)
    let result = try history.replay()
    let words = try history.words()
    #expect(result.verdict == .reproduced, "\(result)\n\(words)")
    #expect(result.matched > 0)
    #expect(result.unreached == [])
  }

  @Test(arguments: SpecimenScenario.all.filter { $0.code != nil }.map(\.name))
  func `under the right policy, a scenario diverges`(_ name: String) throws {
    let scenario = try #require(SpecimenScenario.all.first { $0.name == name })
    let history = try SpecimenHistory(scenario)
    #expect(try history.replay(with: Replacement(all: scenario.right)).verdict == .diverged)
  }

  @Test func `the scenarios have all faults that the rules can find in them`() {
    let codes = Set(SpecimenScenario.all.compactMap(\.code))
    #expect(
      codes == [
        "exit-before-enter", "never-entered", "double-exit", "overlap", "never-arrived",
        "stale-request", "never-exited", "reentrant-request", "double-enter", "slow-enter",
      ])
    #expect(Set(SpecimenScenario.all.map(\.name)).count == SpecimenScenario.all.count)
  }

  @Test func `the container reports the new state as the old one`() throws {
    let scenario = try #require(SpecimenScenario.all.first { $0.name == "wrong-before" })
    let run = scenario.begin()
    run.play()
    let container = try #require(run.controller as? Container2020)
    #expect(container.transitionsFrom == ["loading", "comments"])
  }

  @Test func `an interrupted animation keeps both states of a transition waiting`() throws {
    let scenario = try #require(SpecimenScenario.all.first { $0.name == "interrupted-animation" })
    let findings = try SpecimenHistory(scenario).findings()
    func visits(_ code: RuleCode) -> [UInt32] {
      findings.filter { $0.code == code }.map(\.visit)
    }
    #expect(visits(.neverExited) == [1])
    #expect(visits(.neverArrived) == [2])
    #expect(findings.count == 2)
  }

  @Test func `the next request ends a transition without animation`() throws {
    let scenario = try #require(SpecimenScenario.all.first { $0.name == "left-transparent" })
    let words = try SpecimenHistory(scenario).words()
    #expect(words.contains("entering #3 loading"), "\(words)")
    let lines = words.split(separator: "\n")
    let next = try #require(lines.firstIndex { $0.contains("enqueued #4 error") })
    let entered = try #require(lines.firstIndex { $0.contains(" entered #3 loading") })
    #expect(entered == next + 1, "\(words)")
  }

  @Test func `the container shows a child that has faded out while it is transparent`() throws {
    let scenario = try #require(SpecimenScenario.all.first { $0.name == "left-transparent" })
    let run = scenario.begin()
    run.play()
    let container = try #require(run.controller as? Container2020)
    #expect(container.shownTransparent == ["loading"])
  }

  @Test func `two recordings of one scenario are equal`() throws {
    for scenario in SpecimenScenario.all {
      let first = try SpecimenHistory(scenario)
      let second = try SpecimenHistory(scenario)
      #expect(try first.words() == second.words())
      #expect(try first.replay().digest == second.replay().digest)
    }
  }
}
