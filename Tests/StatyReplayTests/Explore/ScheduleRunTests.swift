import Chance
import Foundation
import Staty
import StatyHistory
import StatyReading
import StatyRecorder
import StatyReplay
import StatyRules
import StatyTesting
import Testing

/// A schedule is played as a live controller would have gone through it.
@Suite struct ScheduleRunTests {
  @Test func `the possible steps are requests, and answers of states to calls`() throws {
    var scenario = Scenario("queue")
    let loading = scenario.request("loading")
    let alert = scenario.request("alert") { $0.exitsByItself = true }
    let run = try ScheduleRun(scenario)
    #expect(run.possible == [.make(loading), .make(alert)])
    #expect(run.take(.make(alert)))
    #expect(run.possible == [.make(loading), .complete(.entered, alert)])
    #expect(!run.take(.exitByItself(alert)))
    #expect(run.take(.complete(.entered, alert)))
    #expect(run.possible == [.make(loading), .exitByItself(alert)])
    #expect(!run.isAtEnd)
    #expect(run.take(.make(loading)))
    #expect(run.take(.complete(.exited, alert)))
    #expect(run.take(.complete(.entered, loading)))
    #expect(run.isAtEnd)
    run.finish()
    #expect(run.allFindings == [])
    #expect(run.visit(of: alert) == 1)
    #expect(run.visit(of: loading) == 2)
  }

  @Test func `requests of one source keep their order, and those inside of a call happen with it`()
    throws
  {
    var scenario = Scenario("queue")
    let first = scenario.request("loading") { $0.source = 7 }
    let second = scenario.request("content") { $0.source = 7 }
    let third = scenario.request("alert") {
      $0.place = .inside(.entering, second)
      $0.origin = second
    }
    let run = try ScheduleRun(scenario)
    #expect(run.possible == [.make(first)])
    for step: Step in [
      .make(first), .make(second), .complete(.entered, first), .complete(.exited, first),
    ] {
      #expect(run.take(step))
    }
    #expect(run.visit(of: third) == 3)
    #expect(run.allFindings.map(\.code) == [.reentrantRequest])
  }

  @Test func `a silent state is no fault of a controller that lets no visit wait for it`() throws {
    var scenario = Scenario("queue")
    let first = scenario.request("loading") { $0.enters = .never }
    let second = scenario.request("content")
    let alone = try ScheduleRun(scenario)
    #expect(alone.take(.make(first)))
    alone.finish()
    #expect(alone.allFindings.map(\.code) == [.neverArrived])
    #expect(alone.findings == [])
    let crowded = try ScheduleRun(scenario)
    #expect(crowded.take(.make(first)) && crowded.take(.make(second)))
    crowded.finish()
    #expect(crowded.findings.map(\.code) == [.neverArrived])
  }

  @Test func `a deadline passes while a state is late, and only once`() throws {
    var scenario = Scenario("queue")
    scenario.controllers[0].deadlineEntering = .skip
    let late = scenario.request("loading") { $0.enters = .never }
    let next = scenario.request("content")
    let run = try ScheduleRun(scenario)
    for step: Step in [.make(late), .make(next), .deadline(.entered, late)] {
      #expect(run.take(step))
    }
    #expect(!run.possible.contains(.deadline(.entered, late)))
    #expect(run.possible.contains(.complete(.entered, next)))
  }

  @Test func `cancellations come when there is something to cancel`() throws {
    var scenario = Scenario("queue")
    let first = scenario.request("loading")
    let second = scenario.request("content")
    let cancel = scenario.cancel(.request(second))
    let run = try ScheduleRun(scenario)
    #expect(!run.possible.contains(.make(cancel)))
    for step: Step in [.make(first), .make(second), .make(cancel), .complete(.entered, first)] {
      #expect(run.take(step))
    }
    #expect(run.isAtEnd)
    #expect(run.events.map(\.kind).contains(EventKind.discarded.rawValue))
  }

  @Test(arguments: 0..<6)
  func `a random schedule is a history that checks and replays like any other`(_ place: Int) throws
  {
    let name = VerificationTests.policies[place].0
    let seed = testSeed
    for run in 0..<20 {
      var random = SeededRandom(seed: seed &+ UInt64(run))
      let scenario = RandomScenario.make(&random, kind: name)
      let played = try RandomScenario.play(scenario, &random)
      let told = "\(name), seed \(seed &+ UInt64(run)): \(played.schedule)"
      let history = try RecordedHistory()
      try played.write(to: history.path)
      let reader = try HistoryReader(path: history.path)
      #expect(
        try HistoryCheck(reader).session(1).findings.map(\.forEver) == played.allFindings, "\(told)"
      )
      let result = try history.verify()
      #expect(result.verdict == .reproduced, "\(told) \(result.divergences) \(result.doubts)")
    }
    print("\(name): 20 schedules from seed \(seed)")
  }

  @Test func `a policy that believes a second exit takes no slot from another visit`() throws {
    var registry = ControllerRegistry()
    // Whatever it is told, it says that it fits.
    registry.register(policy: "faulty") { FaultyPolicy(seed: 0xFA_FA_FA) }
    var scenario = Scenario("faulty")
    let first = scenario.request("alert") {
      $0.exitsByItself = true
      $0.repeats = [.exited]
    }
    let second = scenario.request("content") { $0.source = first }
    let third = scenario.request("empty")
    let run = try ScheduleRun(scenario, registry: registry)
    for step: Step in [
      .make(first), .complete(.entered, first), .exitByItself(first), .make(second),
      .repeat(.exited, first),
    ] {
      #expect(run.take(step))
    }
    #expect(run.take(.complete(.entered, second)))
    #expect(run.take(.make(third)))
    #expect(run.possible.contains(.complete(.exited, second)))
    run.finish()
    #expect(run.allFindings.map(\.code).contains(.doubleExit))
  }

  @Test func `the same schedule is the same file`() throws {
    var random = SeededRandom(seed: 12)
    let scenario = RandomScenario.make(&random, kind: "priority")
    let first = try RandomScenario.play(scenario, &random)
    let second = try ScheduleRun(scenario)
    for step in first.schedule { #expect(second.take(step)) }
    second.finish()
    #expect(first.events == second.events)
    #expect(first.names == second.names)
  }
}
