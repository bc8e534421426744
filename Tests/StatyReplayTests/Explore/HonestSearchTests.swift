import Staty
import StatyHistory
import StatyReading
import StatyReport
import StatyRecorder
import StatyRules
import Testing

@testable import StatyReplay

extension Scenario {
  fileprivate init(_ kind: String, requesting states: [StateName]) {
    self.init(kind)
    for state in states { request(state) }
  }
}

/// A search says "passed" only of what it can tell where it happened.
@Suite struct HonestSearchTests {
  private let history: RecordedHistory

  init() throws {
    history = try RecordedHistory()
  }

  /// A desk that serves the newest first, and tells a delegate that a state has exited.
  private class Telling: Desk {
    var hasExited: (DeskState) -> Void = { _ in }

    override func didExit(_ state: DeskState) {
      probe.completed(.exited, state) {
        forget(state)
        callDelegate(state)
        proceed()
      }
    }

    override func nextPlace() -> Int { waiting.count - 1 }

    func callDelegate(_ state: DeskState) { hasExited(state) }
  }

  private final class Bracketing: Telling {
    override func callDelegate(_ state: DeskState) {
      probe.calling("hasExited") { hasExited(state) }
    }
  }

  /// The same without the fault: the oldest is served first.
  private final class Fair: Telling {
    override func callDelegate(_ state: DeskState) {
      probe.calling("hasExited") { hasExited(state) }
    }

    override func nextPlace() -> Int { 0 }
  }

  /// When the first state exits, a delegate asks for one more, which enters before the second.
  private static func wire(_ desk: Telling) {
    var isDone = false
    desk.hasExited = { [unowned desk] _ in
      if isDone { return }
      isDone = true
      desk.transit(to: DeskState("error"))
    }
  }

  private func record(_ kind: Telling.Type) throws -> HistoryReader {
    let recorder = try history.recorder()
    let desk = kind.init(probe: ControllerProbe("desk"))
    Self.wire(desk)
    recorder.attach(to: desk, as: "desk")
    desk.transit(to: DeskState("first"))
    desk.transit(to: DeskState("second"))
    recorder.close()
    let reader = try HistoryReader(path: history.path)
    #expect(try errors(reader).map(\.code) == [.outOfOrder])
    return reader
  }

  private func errors(_ reader: HistoryReader) throws -> [Finding] {
    try HistoryCheck(reader).session(1).findings.filter { $0.severity == .error }
  }

  private func registry(_ kind: Telling.Type, isWired: Bool = false) -> ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register("desk") { context in
      let desk = kind.init(probe: context.probe)
      if isWired { Self.wire(desk) }
      return context.subject(makeState: ScriptedDeskState.init) { state, _ in
        state.desk = desk
        desk.transit(to: state)
      }
    }
    return registry
  }

  private func explore(
    _ reader: HistoryReader, _ registry: ControllerRegistry, with replacement: Replacement = .none
  ) throws -> Exploration {
    let scenario = try Scenario(
      reader, session: 1, registry: registry, with: replacement)
    return try Explorer(scenario, registry: registry).run()
  }

  @Test func `a call without a bracket leaves a search inconclusive`() throws {
    let reader = try record(Telling.self)
    let explored = try explore(reader, registry(Telling.self))
    #expect(explored.verdict == .inconclusive && explored.orders.isEmpty)
    let events = try PlainRecording(history.path).rows
    let asked = try #require(events.last { $0.kind == EventKind.enqueued.rawValue })
    #expect(
      explored.doubts.contains(
        .unbracketed(controller: 1, seq: asked.seq, .call(in: asked.cause))), "\(explored.doubts)")
  }

  @Test func `a broken rule of the recording that no order breaks is told`() throws {
    let reader = try record(Telling.self)
    let finding = try #require(try errors(reader).first)
    let explored = try explore(reader, registry(Telling.self))
    #expect(
      explored.doubts.contains(.unmet(controller: 1, seq: finding.seq, .outOfOrder)),
      "\(explored.doubts)")
  }

  @Test(arguments: [false, true])
  func `what is asked for in a call is told there, once, by whoever does it`(isWired: Bool) throws {
    let reader = try record(Bracketing.self)
    let registry = registry(Bracketing.self, isWired: isWired)
    #expect(try history.verify(registry).verdict == .reproduced)
    let scenario = try Scenario(reader, session: 1, registry: registry)
    #expect(scenario.doubts.isEmpty && scenario.requests.count == 3)
    let call = Scenario.Call("hasExited", by: 1, on: .exited, 1)
    #expect(scenario.requests.map(\.place) == [.anytime, .anytime, .called(call)])
    let explored = try Explorer(scenario, registry: registry).run()
    #expect(explored.verdict == .broken && explored.doubts.isEmpty, "\(explored.doubts)")
    #expect(explored.orders.first?.codes == [.outOfOrder])
    let run = try #require(try Explorer(scenario, registry: registry).run(of: explored))
    #expect(run.events.count { $0.kind == EventKind.enqueued.rawValue } == 3)
    let finding = try #require(try errors(reader).first)
    let least = try Minimizer(reader, session: 1, finding: finding, registry: registry).run()
    #expect(least.requests.after == 3 && least.proof.requests == .everyOrder, "\(least)")
    let played = try WhatIf(reader, session: 1, registry: registry).run()
    #expect(played.events.count { $0.kind == EventKind.enqueued.rawValue } == 3)
    #expect(played.decisive.map(\.code) == [.outOfOrder] && played.doubts.isEmpty)
  }

  @Test(arguments: [false, true])
  func `a written test tells the request in the call, red with the fault and green without`(
    isWired: Bool
  ) throws {
    let reader = try record(Bracketing.self)
    var registry = registry(Bracketing.self, isWired: isWired)
    registry.register("fair") { context in
      let desk = Fair(probe: context.probe)
      if isWired { Self.wire(desk) }
      return context.subject(makeState: ScriptedDeskState.init) { state, _ in
        state.desk = desk
        desk.transit(to: state)
      }
    }
    let finding = try #require(try errors(reader).first)
    var surroundings = TestWriter.Surroundings()
    surroundings.registry = ".desks"
    let writer = try TestWriter(
      reader, session: 1, about: finding, registry: registry, right: nil, surroundings)
    // What is wired in the factory asks by itself.
    #expect(writer.text.contains("insideCall: \"hasExited\", on: .exited, of: first,") != isWired)
    #expect(try writer.brokenRules(with: "desk", registry) == [.outOfOrder])
    #expect(try writer.brokenRules(with: "fair", registry) == [])
  }

  @Test func `with the delegate in the factory the search meets what was recorded`() throws {
    for kind in [Telling.self, Bracketing.self] {
      let history = try RecordedHistory()
      let recorder = try history.recorder()
      let desk = kind.init(probe: ControllerProbe("desk"))
      Self.wire(desk)
      recorder.attach(to: desk, as: "desk")
      desk.transit(to: DeskState("first"))
      desk.transit(to: DeskState("second"))
      recorder.close()
      let explored = try explore(
        HistoryReader(path: history.path), registry(kind, isWired: true))
      #expect(explored.orders.first?.codes == [.outOfOrder])
      #expect(explored.verdict == .broken, "\(explored.doubts)")
    }
  }

  @Test func `another kind need not break what was recorded`() throws {
    let reader = try record(Telling.self)
    let explored = try explore(
      reader, registry(Telling.self), with: Replacement(all: "queue"))
    #expect(explored.orders.isEmpty && explored.cut == nil)
    // It is told the delegate's request, too, and the recording does not say where.
    #expect(explored.verdict == .inconclusive)
    #expect(explored.doubts.map(\.word) == ["unbracketed"], "\(explored.doubts)")
  }

  /// A desk whose registry does not pass its requests on at once.
  @Test(arguments: [true, false])
  func `nothing has passed if a class reports nothing in any order`(isEmpty: Bool) throws {
    let reader = try record(Bracketing.self)
    var late: [() -> Void] = []
    var registry = ControllerRegistry()
    registry.register("desk") { context in
      let desk = Bracketing(probe: context.probe)
      return context.subject(makeState: ScriptedDeskState.init) { state, _ in
        if !isEmpty { late.append { desk.transit(to: state) } }
      }
    }
    let replay = try Verification(reader, session: 1, registry: registry).run()
    #expect(replay.verdict == .inconclusive && replay.doubts == [.silent(controller: 1)])
    let recorded = try Explorer(
      Scenario(reader, session: 1, registry: registry), registry: registry
    ).run()
    #expect(recorded.verdict == .inconclusive && recorded.orders.isEmpty)
    let described = try Explorer(
      Scenario("desk", requesting: ["first", "second"]), registry: registry
    ).run()
    #expect(described.verdict == .inconclusive && described.orders.isEmpty)
    #expect(described.doubts == [.silent(controller: 1)], "\(described.doubts)")
  }

  @Test func `a broken rule that was found in doubt is not certain`() throws {
    /// Reads how many requests were ever made of any desk.
    final class Counting: Desk {
      nonisolated(unsafe) static var count = 0

      override func nextPlace() -> Int {
        Self.count += 1
        return Self.count % 3 == 0 ? waiting.count - 1 : 0
      }
    }
    var registry = ControllerRegistry()
    registry.register("desk") { context in
      let desk = Counting(probe: context.probe)
      return context.subject(makeState: ScriptedDeskState.init) { state, _ in
        state.desk = desk
        desk.transit(to: state)
      }
    }
    for start in 0..<3 {
      Counting.count = start
      let explored = try Explorer(
        Scenario("desk", requesting: ["first", "second", "third", "fourth"]), registry: registry
      ).run()
      #expect(explored.verdict == .inconclusive, "\(start): \(explored.orders)")
      #expect(explored.doubts.contains(.hiddenInput))
    }
  }

  @Test func `a class that was fixed since is not held to the recording`() throws {
    final class Mended: Telling {
      override func nextPlace() -> Int { 0 }
    }
    let reader = try record(Telling.self)
    let explored = try explore(reader, registry(Mended.self, isWired: true))
    #expect(explored.isClean, "\(explored.orders) \(explored.doubts)")
  }

  /// Shows whatever it is asked for at once.
  private final class Toasts {
    private let probe: ControllerProbe

    init(_ probe: ControllerProbe) { self.probe = probe }

    func show(_ state: DeskState) {
      probe.requested(state, named: state.name) {
        probe.telling(.enter, state) { state.enter() }
      }
    }

    func complete(_ completion: Completion, _ state: DeskState) {
      probe.completed(completion, state)
    }
  }

  @Test func `a class that shows an object twice is accused of nothing`() throws {
    var registry = ControllerRegistry()
    registry.register("toasts", discipline: .atOnce) { context in
      let toasts = Toasts(context.probe)
      return context.subject(makeState: { script in
        let state = DeskState(script.name)
        state.onEnter = { _ in script.enter() }
        state.onExit = { _ in script.exit() }
        script.onCompletion = { [unowned state] in toasts.complete($0, state) }
        return state
      }) { (state: DeskState, _) in toasts.show(state) }
    }
    var scenario = Scenario("toasts", discipline: .atOnce)
    let first = scenario.request("photo")
    scenario.request("photo") { $0.instance = first }
    let result = try Explorer(scenario, registry: registry).run()
    #expect(result.orders.flatMap(\.codes) == [] && result.doubts.isEmpty, "\(result.doubts)")
  }
}
