import Chance
import Staty
import StatyHistory
import StatyRules
import StatyTesting
import Testing

@testable import StatyReplay

/// What cannot be copied is run again and again.
@Suite struct ScheduleSearchTests {
  private func scenario(_ kind: String, _ count: Int) -> Scenario {
    var scenario = Scenario(kind)
    for _ in 0..<count { scenario.request("loading") }
    return scenario
  }

  @Test func `an app's own controller is searched run by run`() throws {
    var registry = ControllerRegistry()
    registry.registerDesk("desk") { Desk(probe: $0.probe) }
    registry.registerDesk("hasty") { HastyDesk(probe: $0.probe) }
    let sound = try Explorer(scenario("desk", 3), registry: registry).run()
    #expect(sound.isClean)
    #expect(sound.method == .runs)
    #expect(sound.transitions > 100)
    let hasty = try Explorer(scenario("hasty", 3), registry: registry).run()
    #expect(hasty.findings.map(\.code) == [.exitBeforeEnter])
    #expect(hasty.schedule == [.make(1), .make(2)])
    var options = Explorer.Options()
    options.mostRuns = 20
    let cut = try Explorer(scenario("desk", 3), registry: registry, options: options).run()
    #expect(cut.cut == .runs)
    #expect(!cut.isClean)
  }

  @Test func `a controller with a hidden input is in doubt`() throws {
    var count = 0
    var registry = ControllerRegistry()
    registry.registerDesk("desk") { context in
      count += 1
      return count % 3 == 0 ? HastyDesk(probe: context.probe) : Desk(probe: context.probe)
    }
    var options = Explorer.Options()
    options.codes = [.neverEntered]
    let result = try Explorer(scenario("desk", 2), registry: registry, options: options).run()
    #expect(result.doubts == [.hiddenInput])
    #expect(result.verdict == .inconclusive)
  }

  @Test func `a controller that runs without end is given up`() throws {
    var registry = ControllerRegistry()
    registry.registerDesk("desk") { EndlessDesk(probe: $0.probe) }
    let result = try Explorer(scenario("desk", 1), registry: registry).run()
    #expect(result.doubts.count == 1)
    #expect(result.verdict == .inconclusive)
  }

  @Test func `equivalent orders of independent controllers are left out`() throws {
    let seed = testSeed
    var pruned = 0
    let pairs = tries(usual: 6, nightly: 12)
    for run in 0..<pairs {
      var random = SeededRandom(seed: seed &+ UInt64(run))
      let faults = random.next()
      let scenario = pair(&random)
      let registry = FaultyPolicy.registry(faults)
      var options = Explorer.Options()
      options.mostRuns = 4_000
      let explorer = try Explorer(scenario, registry: registry, options: options)
      let all = try explorer.runByRun(leavesOut: false)
      let fewer = try explorer.runByRun()
      let told = "seed \(seed &+ UInt64(run)), faults \(faults)"
      if all.cut == nil {
        #expect(fewer.schedule?.count == all.schedule?.count, "\(told): \(all) \(fewer)")
        #expect(fewer.verdict == all.verdict, "\(told)")
        #expect(fewer.transitions <= all.transitions, "\(told)")
      }
      pruned += fewer.pruned
    }
    print("\(pairs) pairs from seed \(seed), \(pruned) left out")
    #expect(pruned > 3 * pairs)
  }

  /// Two controllers; some events of one cause a request at the other.
  private func pair(_ random: inout SeededRandom) -> Scenario {
    var scenario = Scenario("queue")
    scenario.controllers.append(.init(random.below(2) == 0 ? "faulty" : "latest", id: 2))
    let first = scenario.request("loading") { $0.exitsByItself = random.below(2) == 0 }
    scenario.request("alert") {
      $0.controller = 2
      if random.below(3) == 0 { $0.place = .inside(.entered, first) }
      if random.below(3) == 0 { $0.place = .after(.entering, first) }
    }
    scenario.request("content") {
      $0.controller = Int32(1 + random.below(2))
      if random.below(2) == 0 { $0.source = first }
    }
    if random.below(2) == 0 { scenario.request("empty") { $0.controller = 2 } }
    return scenario
  }
}

/// Tells the shown state to exit at once.
private final class HastyDesk: Desk {
  override func proceed() {
    isMovingOn()
    goOn()
  }
}

/// Asks for the same again whenever it is in.
private final class EndlessDesk: Desk {
  override func proceed() {
    isMovingOn()
    probe.requested(self, named: "again") { proceed() }
  }
}

extension ControllerRegistry {
  fileprivate mutating func registerDesk(
    _ name: String, _ make: @escaping (ReplayContext) -> Desk
  ) {
    register(name) { context in
      let desk = make(context)
      return context.subject(makeState: { ScriptedDeskState($0) }) { state, _ in
        desk.transit(to: state)
      }
    }
  }
}
