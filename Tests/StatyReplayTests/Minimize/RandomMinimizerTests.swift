import Chance
import Staty
import StatyHistory
import StatyReading
import StatyRules
import StatyTesting
import Testing

@testable import StatyReplay

/// Minimising whatever random policies with faults do.
@Suite struct RandomMinimizerTests {
  @Test func `of what random policies break as much is left as breaks it`() throws {
    let first = testSeed
    var (small, parted, before, after, proven) = (0, 0, 0, 0, 0)
    for seed in first..<(first + 60) {
      let registry = FaultyPolicy.registry(seed)
      var random = SeededRandom(seed: seed)
      let scenario = RandomScenario.make(
        &random, kind: "faulty", most: 12, isPlain: seed % 2 == 0)
      let history = try RecordedHistory()
      let run = try ScheduleRun(scenario, registry: registry)
      for _ in 0..<80 {
        guard let step = run.possible.randomElement(using: &random) else { break }
        run.take(step)
      }
      run.finish()
      try run.write(to: history.path)
      let reader = try HistoryReader(path: history.path)
      let findings = try HistoryCheck(reader).session(1).findings
      guard let finding = findings.first(where: { $0.severity == .error }) else { continue }
      var options = Minimizer.Options()
      options.mostRuns = 200
      do {
        let minimizer = try Minimizer(
          reader, session: 1, finding: finding, registry: registry, options: options)
        let result = try minimizer.run()
        small += 1
        before += result.requests.before
        after += result.requests.after
        try expect(result, finding, minimizer, "seed \(seed)")
        proven += try expectClaims(result, registry, "seed \(seed)")
      } catch MinimizerError.notReproduced {
        // That a state is silent is no fault, and what it did once it may not do again.
        parted += 1
      }
    }
    print(
      "from seed \(first): \(small) made small, \(before) to \(after) requests, \(proven) claims held, "
        + "\(parted) not")
    #expect(small > 0 && parted <= small)
  }

  private func expect(
    _ result: Minimization, _ finding: Finding, _ minimizer: Minimizer, _ words: String
  ) throws {
    #expect(result.finding.code == finding.code, "\(words)")
    #expect(result.requests.after <= result.requests.before, "\(words)")
    let small = try RecordedHistory()
    try minimizer.run(of: result).write(to: small.path)
    let found = try HistoryCheck(HistoryReader(path: small.path)).session(1).findings
    #expect(found.contains { $0.code == finding.code }, "\(words): \(found)")
  }

  /// What is said to be the least is: other runs, from the beginning, find nothing less.
  ///
  /// - Returns: how many claims were held against such runs, all of them.
  private func expectClaims(
    _ result: Minimization, _ registry: ControllerRegistry, _ words: String
  ) throws -> Int {
    func lessIsThere(_ scenario: Scenario, steps: Int) throws -> Bool? {
      var options = Explorer.Options()
      options.codes = [result.kept.key.code]
      options.mostSteps = steps
      options.mostRuns = 1_000
      var explorer = try Explorer(scenario, registry: registry, options: options)
      explorer.isMeant = { result.kept.matches($0, in: $1) }
      let less = try explorer.runByRun(leavesOut: false)
      return less.schedule != nil ? true : less.cut == .runs ? nil : false
    }
    var held = 0
    if result.proof.order == .shortest {
      let isThere = try lessIsThere(result.scenario, steps: result.schedule.count - 1)
      #expect(isThere != true, "\(words): \(result)")
      if isThere == false { held += 1 }
    }
    guard result.proof.requests == .everyOrder else { return held }
    for id in result.scenario.removable where !result.kept.key.needed.contains(id) {
      let rest = result.scenario.without([id], keeping: result.kept.key.controller)
      let isThere = try lessIsThere(rest, steps: 1_000)
      #expect(isThere != true, "\(words), without \(id): \(result)")
      if isThere == false { held += 1 }
    }
    return held
  }

  @Test func `a step can be taken if it is one of those that are possible`() throws {
    let seed = testSeed
    var random = SeededRandom(seed: seed)
    var (possible, impossible) = (0, 0)
    for _ in 0..<100 {
      let scenario = RandomScenario.make(&random, kind: ["queue", "latest"][random.below(2)])
      let run = try ScheduleRun(scenario)
      var known: Set<Step> = [.make(99), .complete(.entered, 99), .bind(7), .exitByItself(99)]
      for _ in 0..<40 {
        let steps = run.possible
        known.formUnion(steps)
        for step in known {
          let isPossible = steps.contains(step)
          #expect(run.canTake(step) == isPossible, "\(step), seed \(seed)")
          if isPossible { possible += 1 } else { impossible += 1 }
        }
        guard let step = steps.randomElement(using: &random) else { break }
        run.take(step)
      }
      run.finish()
      #expect(known.allSatisfy { !run.canTake($0) })
    }
    #expect(possible > 1_000 && impossible > 1_000)
  }

  @Test func `the next request for an object becomes the first if the first is removed`() throws {
    var scenario = Scenario("queue")
    let first = scenario.request("loading")
    let second = scenario.request("loading") { $0.instance = first }
    let third = scenario.request("loading") { $0.instance = first }
    let cancel = scenario.cancel(.request(first))
    scenario.cancel(.request(third)) { $0.place = .after(.entered, first) }
    scenario.controllers.append(.init("queue", id: 2))
    let other = scenario.request("beside") {
      $0.controller = 2
      $0.place = .inside(.entering, first)
    }
    #expect(scenario.withDependents([first]) == [first, cancel, cancel + 1, other])
    let alone = scenario.without([first], keeping: 1)
    #expect(alone.requests.map(\.id) == [second, third, other])
    #expect(alone.requests.map(\.instance) == [nil, second, nil])
    #expect(alone.requests.map(\.place) == [.anytime, .anytime, .anytime])
    #expect(alone.cancels.map(\.place) == [.anytime] && alone.controllers.count == 2)
    let all = scenario.without([first, other], keeping: 1)
    #expect(all.controllers.map(\.id) == [1])
    let steps: Schedule = [.make(first), .make(second), .complete(.entered, first), .make(cancel)]
    #expect(all.keeping(steps) == [.make(second)])
  }
}
