import Staty
import StatyHistory
import StatyReading
import StatyRules
import StatyTesting
import Testing

@testable import StatyReplay

/// What is left of a recording, and what is said when nothing is.
@Suite struct MinimizerTests {
  private let registry: ControllerRegistry = {
    var registry = ControllerRegistry()
    registry.register(policy: "insistent") { Insistent() }
    return registry
  }()

  /// A history in which everything happens as soon as it can.
  private func record(
    _ scenario: Scenario, _ all: ControllerRegistry? = nil
  ) throws -> RecordedHistory {
    let history = try RecordedHistory()
    let run = try ScheduleRun(scenario, registry: all ?? registry)
    while let step = run.possible.last(where: { !run.isOptional($0) }) { run.take(step) }
    run.finish()
    try run.write(to: history.path)
    return history
  }

  /// - Parameter place: which of the findings is meant.
  private func minimizer(
    _ history: RecordedHistory, at place: Int = 0, _ options: Minimizer.Options = .init()
  ) throws -> Minimizer {
    let reader = try HistoryReader(path: history.path)
    let findings = try HistoryCheck(reader).session(1).findings.filter { $0.code == .doubleExit }
    return try Minimizer(
      reader, session: 1, finding: findings[place],
      registry: registry, options: options)
  }

  /// States one after the other, and an alert after each of these.
  private func scenario(_ count: Int, alertAfter: Set<Int>) -> Scenario {
    var scenario = Scenario("insistent")
    let first = scenario.nextID
    for place in 0..<count {
      scenario.request(StateName("state \(place)")) { $0.source = first }
      if alertAfter.contains(place) { scenario.request("alert") { $0.source = first } }
    }
    return scenario
  }

  @Test func `of many requests those are left without which the rule is not broken`() throws {
    let history = try record(scenario(200, alertAfter: [70]))
    let result = try minimizer(history).run()
    #expect(result.requests == .init(before: 201, after: 2))
    #expect(result.scenario.requests.map(\.state) == ["state 70", "alert"])
    #expect(result.proof == .init(requests: .everyOrder, order: .shortest))
    #expect(result.kept.key.party == .request(71) && result.kept.key.other == nil)
    let ids = result.scenario.requests.map(\.id)
    #expect(result.schedule == [.make(ids[0]), .complete(.entered, ids[0]), .make(ids[1])])
  }

  @Test func `of two that break one rule it is the one that was meant`() throws {
    let history = try record(scenario(30, alertAfter: [7, 21]))
    for (place, state) in [(0, "state 7"), (1, "state 21")] as [(Int, StateName)] {
      let result = try minimizer(history, at: place).run()
      #expect(result.scenario.requests.map(\.state) == [state, "alert"])
    }
  }

  @Test func `a request by a removed state may come from any source`() throws {
    var scenario = Scenario("insistent")
    var last = scenario.request("state")
    for place in 1...40 {
      let before = last
      last = scenario.request(StateName(place == 40 ? "alert" : "state \(place)")) {
        $0.origin = before
        $0.place = .after(.entered, before)
      }
    }
    let result = try minimizer(record(scenario)).run()
    let left = result.scenario.requests
    #expect(left.map(\.state) == ["state 39", "alert"])
    #expect(left.first?.origin == nil && left.first?.place == .anytime)
    // A request that stays keeps its requests.
    #expect(left.last?.origin == left.first?.id)
  }

  @Test func `everything that depends on a request is removed with it`() throws {
    var scenario = scenario(20, alertAfter: [10])
    for one in scenario.requests.prefix(8) {
      scenario.request("nested") {
        $0.place = .inside(.exited, one.id)
        $0.origin = one.id
      }
      scenario.cancel(.request(one.id)) { $0.place = .inside(.exiting, one.id) }
    }
    let result = try minimizer(record(scenario)).run()
    #expect(result.scenario.requests.map(\.state) == ["state 10", "alert"])
    #expect(result.scenario.cancels.isEmpty)
  }

  @Test func `a history is named by where it is, and the first broken rule is meant`() throws {
    let history = try record(scenario(30, alertAfter: [12, 20]))
    let result = try Minimizer(ofHistoryAt: history.path, session: 1, registry: registry).run()
    #expect(result.finding.code == .doubleExit)
    #expect(result.scenario.requests.map(\.state) == ["state 12", "alert"])
    #expect(throws: (any Error).self) {
      try Minimizer(ofHistoryAt: history.path, session: 2, registry: registry)
    }
    withExtendedLifetime(history) {}
  }

  @Test func `what was recorded is played with another kind, and what that breaks is kept`() throws
  {
    var scenario = scenario(30, alertAfter: [12])
    scenario.controllers[0].kind = "queue"
    let history = try record(scenario)
    let reader = try HistoryReader(path: history.path)
    let other = Replacement(all: "insistent")
    let result = try Minimizer(
      reader, session: 1, finding: nil, registry: registry, with: other
    ).run()
    #expect(result.finding.code == .doubleExit)
    #expect(result.scenario.requests.map(\.state) == ["state 12", "alert"])
    #expect(throws: MinimizerError.nothingBroken) {
      try Minimizer(reader, session: 1, finding: nil, registry: registry)
    }
    withExtendedLifetime(history) {}
  }

  @Test func `a run ends when its time is over, whatever it has come to`() throws {
    let history = try record(scenario(60, alertAfter: [20]))
    let order = try RecordedOrder(
      HistoryReader(path: history.path), session: 1, registry: registry)
    func play(until deadline: ContinuousClock.Instant?) throws -> SoughtRun.Found? {
      try SoughtRun.play(
        order.scenario, order.scenario.recordedOrder, registry, mostEvents: .max, until: deadline
      ) { finding, _ in finding.code == .doubleExit }
    }
    #expect(try play(until: nil) != nil)
    #expect(try play(until: .now + .seconds(600)) != nil)
    #expect(try play(until: .now) == nil)
    withExtendedLifetime(history) {}
  }

  @Test func `a limited search says what is not known`() throws {
    let history = try record(scenario(60, alertAfter: [20]))
    var options = Minimizer.Options()
    options.mostRuns = 2
    let few = try minimizer(history, options).run()
    #expect(
      few.proof == .init(requests: .open(.limit(.runs)), order: .open(.limit(.runs))))
    #expect(few.finding.code == .doubleExit && few.requests.after < few.requests.before)
    options = Minimizer.Options()
    options.time = .zero
    let none = try minimizer(history, options).run()
    #expect(none.proof.requests == .open(.limit(.time)))
    // What came after it has nothing to do with it, whatever the limits.
    #expect(none.requests.after <= 22)
    options = Minimizer.Options()
    options.mostSteps = 1
    let short = try minimizer(history, options).run()
    #expect(
      short.proof == .init(requests: .runOrder(.limit(.steps)), order: .open(.limit(.steps))))
    #expect(short.requests.after == 2)
  }

  @Test func `the doubt is given as the reason, and not a limit that was not set`() throws {
    let run = try ScheduleRun(scenario(6, alertAfter: [2]), registry: registry)
    while let step = run.possible.last(where: { !run.isOptional($0) }) { run.take(step) }
    run.finish()
    let history = try RecordedHistory()
    let writer = try HistoryWriter(path: history.path)
    for (_, name) in run.names.sorted(by: { $0.key < $1.key }) { _ = try writer.intern(name: name) }
    let session = try writer.beginSession(
      SessionOpening(uuid: "1", app: "", appVersion: "", os: "", pid: 1, wallTime: 0))
    for one in run.controllers {
      _ = try writer.addController(
        session: session, name: one.name, policy: one.policy, fidelity: one.fidelity,
        snapshot: one.snapshot)
    }
    let last = try #require(run.events.last)
    var strange = EventRow(seq: last.seq + 1, time: last.time, kind: .mark, controller: 1)
    strange.kind = 99
    _ = try (run.events + [strange]).withUnsafeBufferPointer {
      try writer.append($0, details: run.details, to: session)
    }
    try writer.endSession(session, .clean)
    try writer.close()
    let result = try minimizer(history).run()
    let doubt = Minimization.Obstacle.doubt(.unreadable(seq: strange.seq))
    #expect(result.proof == .init(requests: .runOrder(doubt), order: .open(doubt)))
    #expect(result.doubts == [.unreadable(seq: strange.seq)] && result.requests.after == 2)
  }

  @Test func `a controller that cannot be played does not prevent a proof about the others`() throws
  {
    var scenario = scenario(6, alertAfter: [2])
    scenario.controllers.append(.init("beside", id: 2))
    for _ in 0..<3 { scenario.request("beside") { $0.controller = 2 } }
    var all = registry
    all.register(policy: "beside") { QueuePolicy() }
    let history = try record(scenario, all)
    // Only a run shows which controller breaks a rule.
    let result = try Minimizer(
      HistoryReader(path: history.path), session: 1, finding: nil, registry: registry
    ).run()
    #expect(result.proof == .init(requests: .everyOrder, order: .shortest))
    #expect(result.doubts == [] && result.requests.after == 2)
    withExtendedLifetime(history) {}
  }

  private func minimizer(
    _ history: RecordedHistory, _ options: Minimizer.Options
  ) throws -> Minimizer {
    try minimizer(history, at: 0, options)
  }
}

/// A queue that tells the current state twice to exit when an alert is requested.
private struct Insistent: TransitionPolicy {
  private var base = QueuePolicy()

  static var name: StateName { "insistent" }
  var current: Request? { base.current }
  var phase: Phase { base.phase }
  var snapshot: PolicySnapshot { base.snapshot }

  init() {}
  init(restoring snapshot: PolicySnapshot) { base = QueuePolicy(restoring: snapshot) }

  func predecessor(of request: Request) -> Request? { base.predecessor(of: request) }

  mutating func receive(_ signal: Signal, _ commands: inout CommandQueue) -> Fit {
    let fit = base.receive(signal, &commands)
    if case .requested(let request) = signal, request.state == "alert", base.phase == .exiting,
      let current
    {
      commands.append(.exit(current.visit))
    }
    return fit
  }
}
