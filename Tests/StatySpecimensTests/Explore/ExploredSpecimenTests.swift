import Staty
import StatyReplay
import StatyRules
import StatySpecimens
import Testing

/// Exploring finds each specimen's faults in scenarios that know nothing of them.
@Suite struct ExploredSpecimenTests {
  @Test(arguments: SpecimenScenario.all.filter { $0.code != nil }.map(\.name))
  func `each fault is found, with a shortest schedule, and its mend has none in any order`(
    _ name: String
  ) throws {
    let fault = try #require(SpecimenScenario.all.first { $0.name == name })
    let code = try #require(fault.code.flatMap(RuleCode.init))
    let scenario = Self.plain(fault)
    var options = Explorer.Options()
    options.codes = [code]
    let found = try Explorer(scenario, registry: .withSpecimens, options: options).run()
    let schedule = try #require(found.schedule, "\(found)")
    #expect(found.violations.map(\.code).contains(code))
    #expect(schedule.count == Self.lengths[name], "\(name): \(schedule)")
    print("\(name): \(code.rawValue) after \(schedule.count) steps, \(found.transitions) runs")

    // Nothing with fewer steps has it.
    options.mostSteps = schedule.count - 1
    let shorter = try Explorer(scenario, registry: .withSpecimens, options: options).run()
    #expect(shorter.schedule == nil)

    // Who asks when, which the warnings are about, no controller can mend.
    options = Explorer.Options()
    let mended = scenario.with(Replacement(all: fault.mend))
    let passed = try Explorer(mended, registry: .withSpecimens, options: options).run()
    #expect(passed.verdict == .passed, "\(name), \(fault.mend): \(passed)")
    #expect(passed.method == .states)
  }

  @Test func `each specimen breaks a rule in some order, and a queue in none`() throws {
    for specimen in Specimens.all {
      var scenario = Scenario(specimen.name)
      for state: StateName in ["empty", "loading", "populated"] {
        scenario.ask(state) {
          if specimen.name == Keyed2015.name {
            ($0.enters, $0.exits) = (.byController, .byController)
          }
        }
      }
      let found = try Explorer(scenario, registry: .withSpecimens).run()
      let isSound = specimen.name == Keyed2015.name
      #expect(found.verdict == (isSound ? .passed : .broken), "\(specimen.name): \(found)")
      let queue = scenario.with(Replacement(all: "queue"))
      #expect(try Explorer(queue).run().verdict == .passed, "\(specimen.name)")
    }
  }

  /// How many steps a shortest schedule has.
  private static let lengths: [String: Int] = [
    "second-last": 2, "same-turn": 2, "stuck-behind-second-last": 5, "closed-alert": 5,
    "second-exit": 7, "no-strategy": 4, "dropped-presentation": 3, "back-twice": 8,
    "unknown-key": 3, "transition-in-enter": 1, "late-transition": 3, "interrupted-animation": 4,
    "replaced-in-slot": 6,
  ]

  /// Requests for a few states, and what their states do; no word about the fault.
  private static func plain(_ fault: SpecimenScenario) -> Scenario {
    var scenario = Scenario(fault.specimen)
    switch fault.specimen {
    case Keyed2015.name: keyed(fault.name, &scenario)
    case Presenter.name: presenter(fault.name, &scenario)
    case Staty2019.name where fault.name == "second-exit":
      let first = scenario.ask("loading")
      for state: StateName in ["content", "alert", "empty"] {
        scenario.ask(state) { $0.source = first }
      }
    default:
      scenario.ask("alert") { $0.leaves = true }
      scenario.ask("content")
      scenario.ask("empty")
    }
    return fault.isSilence ? scenario.allowingSilence : scenario
  }

  /// Views whose data source is asked for, by themselves too; one of the names has no state.
  private static func keyed(_ name: String, _ scenario: inout Scenario) {
    func still(_ request: inout Scenario.Request) {
      (request.enters, request.exits) = (.byController, .byController)
    }
    let loading = scenario.ask("loading", still)
    scenario.ask("empty", still)
    scenario.ask(name == "unknown-key" ? "poplated" : "populated") {
      still(&$0)
      guard name != "unknown-key" else { return }
      $0.origin = loading
      $0.place = name == "late-transition" ? .after(.entered, loading) : .inside(.entering, loading)
    }
  }

  /// A few views, the last with a button that leads back.
  private static func presenter(_ name: String, _ scenario: inout Scenario) {
    let list = scenario.ask("list")
    let detail = scenario.ask("detail") { $0.source = list }
    guard name == "back-twice" else { return }
    let settings = scenario.ask("settings") { $0.source = list }
    for _ in 0..<2 {
      scenario.ask("detail") {
        $0.instance = detail
        $0.asked = "previous"
        $0.origin = settings
        $0.source = list
        $0.place = .after(.entered, settings)
      }
    }
  }
}
