import Chance
import Staty
import StatyHistory
import StatyReading
import StatyRules
import StatySpecimens
import Testing

@testable import StatyReplay

/// A long history with a specimen's fault is reduced to the few requests that it needs.
@Suite struct MinimizedSpecimenTests {
  private let registry = ControllerRegistry.withSpecimens

  /// The scenarios with a fault of order.
  ///
  /// How long something takes is not played again.
  private static let faults = SpecimenScenario.all.filter {
    $0.code != nil && $0.code != RuleCode.slowEnter.rawValue
  }

  @Test(arguments: faults.map(\.name))
  func `of 10,000 events a fault needs at most six requests, and each of them`(
    _ name: String
  ) throws {
    let fault = try #require(SpecimenScenario.all.first { $0.name == name })
    let seed = testSeed
    let long = try LongHistory(fault, events: 10_000, seed: seed)
    let minimizer = try Minimizer(
      long.reader, session: 1, finding: long.finding, registry: registry)
    let result = try minimizer.run()
    print("\(name), seed \(seed): \(result.requests), \(result.events), \(result.runs) runs")
    #expect(result.requests.before > 1_000 && result.events.before > 9_900)
    #expect(result.requests.after <= 6, "\(name), seed \(seed): \(result)")
    #expect(
      result.proof == .init(requests: .everyOrder, order: .shortest),
      "\(name), seed \(seed): \(result)")
    #expect(result.finding.code == long.finding.code)
    try expectEveryOneNeeded(result, "\(name), seed \(seed)")
    try expectHistory(minimizer, result, "\(name), seed \(seed)")
  }

  @Test func `findings of random histories are shown by smaller histories`() throws {
    var small = 0
    var parted: [RuleCode: Int] = [:]
    for run in 0..<48 {
      let seed = testSeed &+ UInt64(run)
      let history = try SpecimenHistory(seed: seed, runs: 1) { _ in
        [Specimens.all[run % 4], Specimens.all[run / 4 % 4]]
      }
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
        #expect(result.requests.after <= result.requests.before)
        #expect(result.finding.code == finding.code, "seed \(seed)")
        if case .open = result.proof.requests {
        } else {
          try expectEveryOneNeeded(result, "seed \(seed)")
        }
        try expectHistory(minimizer, result, "seed \(seed)")
      } catch MinimizerError.notReproduced(let code) {
        // In some, states were silent, or reported twice inside of one call. A scenario cannot
        // express that.
        parted[code, default: 0] += 1
      }
    }
    print("seed \(testSeed): \(small) made small; not \(parted)")
    #expect(small >= 12, "seed \(testSeed): not \(parted)")
  }

  /// One of the random histories above.
  ///
  /// With a short search, the run has a request inside of one that can be removed.
  @Test func `a request made inside of another keeps a place when that one is removed`() throws {
    let history = try SpecimenHistory(seed: 3_521_665_108, runs: 1) { _ in
      [Container2020.self, Presenter.self]
    }
    let reader = try HistoryReader(path: history.path)
    let finding = try #require(
      HistoryCheck(reader).session(1).findings.first { $0.severity == .error })
    var options = Minimizer.Options()
    options.mostRuns = 200
    let minimizer = try Minimizer(
      reader, session: 1, finding: finding, registry: registry, options: options)
    let result = try minimizer.run()
    #expect(result.requests.after == 3)
    try expectEveryOneNeeded(result, "\(result.proof)")
  }

  /// Runs the result without each request, alone and with its dependents.
  private func expectEveryOneNeeded(_ result: Minimization, _ words: String) throws {
    let scenario = result.scenario
    let played = try ScheduleRun.following(result.schedule, of: scenario, registry)
    #expect(scenario.removable.count == result.requests.after)
    for id in scenario.removable {
      for gone in [scenario.withDependents([id]), [id]] {
        let rest = scenario.without(gone, keeping: result.kept.key.controller)
        let found = try SoughtRun.play(
          rest, rest.keeping(played.order), registry, mostEvents: 20_000
        ) {
          result.kept.matches($0, in: $1)
        }
        #expect(found == nil, "\(words): without \(gone) of \(result.schedule)")
      }
    }
  }

  /// Checks that the result shows the same finding, is reproduced, and cannot be made smaller.
  private func expectHistory(
    _ minimizer: Minimizer, _ result: Minimization, _ words: String
  ) throws {
    let small = try SpecimenHistory()
    try minimizer.run(of: result).write(to: small.path)
    let reader = try HistoryReader(path: small.path)
    let found = try HistoryCheck(reader).session(1).findings
    let same = try #require(
      found.first { $0.code == result.finding.code && $0.seq == result.finding.seq },
      "\(words): \(found)")
    let replay = try small.replay()
    // If the fault is that nothing happens, there may be no decisions to compare.
    #expect(
      replay.verdict == .reproduced || replay.doubts == [.nothingToCompare], "\(words): \(replay)")
    guard result.proof == .init(requests: .everyOrder, order: .shortest) else { return }
    let again = try Minimizer(reader, session: 1, finding: same, registry: registry)
    let second = try again.run()
    #expect(second.requests.after == result.requests.after, "\(words)")
    #expect(try told(second) == told(result), "\(words)")
    let events = try again.run(of: second).events.map { "\($0.kind) \($0.visit) \($0.reason)" }
    let before = try minimizer.run(of: result).events.map { "\($0.kind) \($0.visit) \($0.reason)" }
    #expect(events == before, "\(words)")
  }

  /// How many steps of a result have left an event.
  ///
  /// A controller may ignore an answer without a word. Its recording does not show that the answer has come,
  /// so nothing waits for it there.
  private func told(_ result: Minimization) throws -> Int {
    let run = try ScheduleRun.following([], of: result.scenario, registry)
    return result.schedule.count {
      let before = run.events.count
      run.take($0)
      return run.events.count > before
    }
  }
}
