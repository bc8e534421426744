import Staty
import StatyHistory
import StatyRecorder
import StatyReplay
import Testing

/// An app's own controller is run again from its recording.
@Suite struct OpaqueReplayTests {
  private let history: RecordedHistory

  init() throws {
    history = try RecordedHistory()
  }

  /// Records what the body does with a desk.
  private func record(_ kind: Desk.Type = Desk.self, _ body: (Desk) throws -> Void) throws {
    let recorder = try history.recorder()
    let desk = kind.init(probe: ControllerProbe("desk"))
    recorder.attach(to: desk, as: "desk")
    try body(desk)
    recorder.close()
  }

  private func replay(
    _ kind: Desk.Type = Desk.self, with replacement: Replacement = .none
  ) throws -> ReplayResult {
    try history.verify(.with(kind), with: replacement)
  }

  @Test func `states that enter and exit at once report inside their calls`() throws {
    try record { desk in
      let states = ["loading", "content", "alert"].map { DeskState(StateName($0)) }
      for state in states { desk.transit(to: state) }
    }
    let result = try replay()
    #expect(result.verdict == .reproduced, "\(result)")
    #expect(result.matched == 5)
    #expect(result.told == 8)
  }

  @Test func `a state that comes back after thousands of others is the same object`() throws {
    let recorder = try history.recorder()
    let desk = LayeredDesk(probe: ControllerProbe("desk"))
    recorder.attach(to: desk, as: "desk")
    let home = DeskState("home")
    home.onExit = { _ in }
    desk.transit(to: home)
    for number in 1...5_000 {
      desk.transit(to: DeskState("article"))
      // Shown faster than stored.
      if number % 1_000 == 0 { try recorder.flush() }
    }
    desk.didExit(home)
    desk.didExit(home)
    desk.transit(to: home)
    recorder.close()
    #expect(try history.kinds().filter { $0 == EventKind.stray.rawValue }.count == 1)

    // One count for each time the history is played.
    var homes: [Int] = []
    var registry = ControllerRegistry()
    registry.register("desk") { context in
      let desk = LayeredDesk(probe: context.probe)
      homes.append(0)
      return context.subject(makeState: { script in
        if script.name == "home" { homes[homes.count - 1] += 1 }
        return ScriptedDeskState(script)
      }) { state, _ in
        state.desk = desk
        desk.transit(to: state)
      }
    }
    let result = try history.verify(registry)
    #expect(result.verdict == .reproduced, "\(result)")
    #expect(homes == [1])
    let played = try history.whatIf(registry: registry)
    #expect(played.events.map(\.kind) == (try history.kinds()))
    #expect(homes == [1, 1, 1])
  }

  @Test func `a right discipline is what the queue does, too`() throws {
    try record { desk in
      let states = ["loading", "content", "alert"].map { DeskState(StateName($0)) }
      for state in states { desk.transit(to: state) }
    }
    #expect(try replay(with: Replacement(all: "queue")).verdict == .reproduced)
    #expect(try replay(with: Replacement(all: "immediate")).verdict == .diverged)
  }

  @Test func `a recording of a policy is held against an app's own controller`() throws {
    try history.record()
    let result = try replay(with: Replacement(some: [1: "desk"]))
    #expect(result.verdict == .reproduced, "\(result)")
  }

  @Test func `a class runs on after a divergence, and what differs then is listed apart`() throws {
    try record { desk in
      for name in ["loading", "content", "alert"] as [StateName] {
        desk.transit(to: DeskState(name))
      }
    }
    for visit in [2, 3] {
      let seq = try history.number(of: "entering", visit: visit)
      try history.change("UPDATE event SET state = 1 WHERE seq = \(seq)")
    }
    let result = try replay()
    #expect(result.divergences.map { $0.difference.recorded?.visit } == [VisitNumber(2)])
    #expect(result.consequences.map { $0.difference.recorded?.visit } == [VisitNumber(3)])
    #expect(result.told == 8)
  }

  @Test func `another discipline diverges where it first decides otherwise`() throws {
    final class LastFirst: Desk {
      override func nextPlace() -> Int { waiting.count - 1 }
    }
    try record { desk in
      let loading = DeskState("loading")
      loading.onExit = { _ in }
      desk.transit(to: loading)
      desk.transit(to: DeskState("content"))
      desk.transit(to: DeskState("alert"))
      desk.didExit(loading)
    }
    let result = try replay(LastFirst.self)
    #expect(result.verdict == .diverged)
    let first = try #require(result.divergences.first)
    guard first.difference.kind == .different, let recorded = first.difference.recorded,
      let replayed = first.difference.replayed
    else {
      Issue.record("\(first)")
      return
    }
    #expect(recorded.visit == VisitNumber(2))
    #expect(replayed.visit == VisitNumber(3))
    #expect(first.standing.standing.map(\.request.visit) == [VisitNumber(3)])
  }

  @Test func `a request that the controller makes by itself is not told again`() throws {
    final class Returning: Desk {
      override func didExit(_ state: DeskState) {
        probe.completed(.exited, state) {
          // Goes back to whatever left, once.
          if state.name == "alert" { transit(to: state) }
          super.leave(state)
        }
      }
    }
    try record(Returning.self) { desk in
      let alert = DeskState("alert")
      let content = DeskState("content")
      content.onExit = { _ in }
      desk.transit(to: alert)
      desk.transit(to: content)
      desk.didExit(content)
      desk.transit(to: DeskState("empty"))
    }
    let result = try replay(Returning.self)
    #expect(result.verdict == .reproduced, "\(result)")
  }

  @Test func `what an observer does about an event is told where it did it`() throws {
    final class Asking: TransitionObserver {
      let desk: Desk
      var left = 3
      init(_ desk: Desk) { self.desk = desk }
      func observe(_ event: borrowing TransitionEvent) {
        let kind = event.kind
        guard left > 0, kind == .enqueued || kind == .exiting else { return }
        left -= 1
        desk.transit(to: DeskState("asked"))
      }
    }
    try record { desk in
      let asking = Asking(desk)
      desk.events.add(asking)
      desk.transit(to: DeskState("loading"))
      desk.transit(to: DeskState("content"))
      desk.events.remove(asking)
    }
    let result = try replay()
    #expect(result.verdict == .reproduced, "\(result)")
    #expect(result.unreached == [])
  }

  @Test func `a controller and a policy that drive each other replay together`() throws {
    let recorder = try history.recorder()
    let desk = Desk(probe: ControllerProbe("desk"))
    let controller = StateController<RandomScene.Screen>()
    let screen = RandomScene.Screen()
    recorder.attach(to: desk, as: "desk")
    recorder.attach(to: controller, as: "queue")
    controller.bind(to: screen)
    let second = DeskState("second")
    let first = DeskState("first")
    first.onEnter = { state in
      controller.transition(to: Driving("loading") { desk.transit(to: second) })
      desk.didEnter(state)
    }
    desk.transit(to: first)
    controller.transition(to: Driving("content") {})
    recorder.close()
    for only in [nil, [1], [2]] as [Set<Int32>?] {
      let result = try history.verify(.with(Desk.self), only: only)
      #expect(result.verdict == .reproduced, "\(result)")
      #expect(result.unreached == [])
      #expect(result.matched > 2)
    }
  }

  @Test func `what was cancelled is cancelled again`() throws {
    final class Cancelling: Desk {
      func cancelAll() {
        probe.cancelled(.all) {
          for state in waiting { probe.discarded(state, .cancelled) }
          waiting = []
        }
      }
    }
    let recorder = try history.recorder()
    let desk = Cancelling(probe: ControllerProbe("desk"))
    recorder.attach(to: desk, as: "desk")
    let slow = DeskState("slow")
    slow.onEnter = { _ in }
    desk.transit(to: slow)
    desk.transit(to: DeskState("content"))
    desk.cancelAll()
    desk.didEnter(slow)
    recorder.close()
    var registry = ControllerRegistry()
    registry.register("desk") { context in
      let desk = Cancelling(probe: context.probe)
      return context.subject(
        makeState: ScriptedDeskState.init, cancel: { _ in desk.cancelAll() }
      ) { state, _ in
        state.desk = desk
        desk.transit(to: state)
      }
    }
    let result = try history.verify(registry)
    #expect(result.verdict == .reproduced, "\(result)")
    #expect(result.matched == 2)
    #expect(result.told == 4)
  }

  @Test func `a step that was put off runs where it was resumed`() throws {
    final class Putting: Desk {
      var steps: [() -> Void] = []
      var schedule: (@escaping () -> Void) -> Void = { _ in }
      override func proceed() { schedule(probe.deferred { [unowned self] in goOn() }) }
    }
    func register(_ order: @escaping (Putting, ReplayScheduler) -> Void) -> ControllerRegistry {
      var registry = ControllerRegistry()
      registry.register("desk") { context in
        let desk = Putting(probe: context.probe)
        order(desk, context.scheduler)
        return context.subject(makeState: ScriptedDeskState.init) { state, _ in
          state.desk = desk
          desk.transit(to: state)
        }
      }
      return registry
    }
    try record(Putting.self) { desk in
      let desk = desk as! Putting
      desk.schedule = { desk.steps.append($0) }
      for name in ["loading", "content"] as [StateName] { desk.transit(to: DeskState(name)) }
      // The newer first, as a queue of another urgency would.
      while !desk.steps.isEmpty { desk.steps.removeLast()() }
      desk.transit(to: DeskState("alert"))
    }
    let put = register { desk, scheduler in desk.schedule = scheduler.async }
    #expect(try history.verify(put).verdict == .reproduced)
    // What was handed over and does not run is another decision.
    let cancels = register { desk, scheduler in
      desk.schedule = { scheduler.schedule(after: .zero, $0).cancel() }
    }
    let result = try history.verify(cancels)
    guard let first = result.divergences.first?.difference, first.kind == .missing,
      let missing = first.recorded
    else {
      Issue.record("\(result)")
      return
    }
    #expect(missing.kind == .resumed)
    // What was handed to something else runs there, which a replay does not see.
    let hops = register { desk, _ in desk.schedule = { [unowned desk] in desk.steps.append($0) } }
    let outside = try history.verify(hops)
    #expect(outside.verdict == .inconclusive)
    #expect(outside.doubts == [.elsewhere(controller: 1)])
  }

  @Test func `a controller that outlives its replay may go on`() throws {
    try record { desk in desk.transit(to: DeskState("loading")) }
    var kept: [(Desk, ReplayScheduler)] = []
    var state: ScriptedDeskState?
    var registry = ControllerRegistry()
    registry.register("desk") { context in
      let desk = Desk(probe: context.probe)
      kept.append((desk, context.scheduler))
      return context.subject(makeState: ScriptedDeskState.init) { asked, _ in
        state = asked
        asked.desk = desk
        desk.transit(to: asked)
      }
    }
    #expect(try history.verify(registry).verdict == .reproduced)
    let (desk, scheduler) = try #require(kept.first)
    scheduler.async {}
    desk.transit(to: try #require(state))
    #expect(desk.probe.events.snapshot.lastVisit == 2)
  }

  @Test(arguments: [100, 400])
  func `a long chain of states that enter and exit at once`(_ count: Int) throws {
    try record { desk in
      let first = DeskState("first")
      first.onExit = { _ in }
      desk.transit(to: first)
      let states = (0..<count).map { _ in DeskState("next") }
      for state in states { desk.transit(to: state) }
      desk.didExit(first)
    }
    let result = try replay()
    if count == 100 {
      #expect(result.verdict == .reproduced)
    } else {
      // Deeper than a stack may be safe for.
      #expect(result.verdict == .inconclusive)
      #expect(result.doubts.contains { if case .runaway = $0 { true } else { false } })
    }
  }
}

/// Shows every state over the ones before it, and has an article leave as soon as it was shown.
private final class LayeredDesk: Desk {
  override func transit(to state: DeskState) {
    probe.requested(state, named: state.name) {
      state.desk = self
      report(.enter, state)
    }
  }

  override func didEnter(_ state: DeskState) {
    probe.completed(.entered, state) {
      if state.name == "article" { report(.exit, state) }
    }
  }

  override func didExit(_ state: DeskState) { probe.completed(.exited, state) {} }
}

extension Desk {
  /// What is done when a state has left.
  fileprivate func leave(_ state: DeskState) {
    forget(state)
    proceed()
  }
}

/// Drives another controller while it enters.
private final class Driving: ScreenState {
  let name: StateName
  private let drive: () -> Void

  init(_ name: StateName, _ drive: @escaping () -> Void) {
    self.name = name
    self.drive = drive
  }

  func enter(on target: RandomScene.Screen, visit: Visit) {
    drive()
    visit.entered()
  }

  func exit(from target: RandomScene.Screen, visit: Visit) { visit.exited() }
}
