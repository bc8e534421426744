import Staty
import Testing

@Suite("Deadlines")
struct DeadlineTests {
  private let clock = ManualClock()

  private func scene(_ recovery: DeadlineRecovery) -> Scene {
    Scene(
      deadlines: Deadlines(entering: .seconds(1), exiting: .seconds(2), recovery: recovery),
      clock: clock)
  }

  @Test("a deadline does nothing to a state that is in time")
  func inTime() {
    let scene = scene(.skip)
    let loading = ScriptedState("loading", enters: .byHand, exits: .byHand)
    scene.controller.transition(to: loading)
    scene.controller.transition(to: ScriptedState("content"))
    clock.advance(by: .milliseconds(900))
    loading.saysEntered()
    clock.advance(by: .milliseconds(1900))
    loading.saysExited()
    #expect(clock.scheduledCount == 0)
    clock.run()
    #expect(scene.log.count(.deadline) == 0)
  }

  @Test("report records the deadline and continues to wait")
  func report() {
    let scene = scene(.report)
    let loading = ScriptedState("loading", enters: .byHand, exits: .byHand)
    scene.controller.transition(to: loading)
    scene.controller.transition(to: ScriptedState("content"))
    clock.advance(by: .seconds(5))
    #expect(scene.log.lines.last == "deadline loading entered report")
    #expect(scene.controller.phase == .entering)
    loading.saysEntered()
    clock.advance(by: .seconds(5))
    #expect(scene.log.lines.last == "deadline loading exited report")
    loading.saysExited()
    #expect(scene.screen.lines == ["+loading", "-loading", "+content"])
    #expect(scene.log.count(.deadline) == 2)
    #expect(scene.log.count(.stray) == 0)
  }

  @Test("force continues as if the state had entered; the state's own report is then stray")
  func forceEntering() {
    let scene = scene(.force)
    let loading = ScriptedState("loading", enters: .byHand, exits: .byHand)
    scene.controller.transition(to: loading)
    clock.advance(by: .seconds(1))
    #expect(scene.controller.phase == .entered)
    loading.saysEntered()
    #expect(
      scene.log.lines.suffix(2) == ["deadline loading entered force", "stray loading entered"])
    scene.controller.transition(to: ScriptedState("content"))
    #expect(scene.screen.lines == ["+loading", "-loading"])
  }

  @Test(
    "force and skip discard a state that does not exit, and the next one enters",
    arguments: [
      DeadlineRecovery.force, .skip,
    ])
  func leaving(recovery: DeadlineRecovery) {
    let scene = scene(recovery)
    let loading = ScriptedState("loading", exits: .byHand)
    scene.controller.transition(to: loading)
    scene.controller.transition(to: ScriptedState("content"))
    scene.log.forget()
    clock.advance(by: .seconds(2))
    #expect(
      scene.log.lines == [
        "deadline loading exited \(recovery)", "discarded loading timedOut", "entering content",
        "entered content",
      ])
    loading.saysExited()
    #expect(scene.log.lines.last == "stray loading exited")
    #expect(scene.controller.phase == .entered)
  }

  @Test("an alert that waits for the user has no limit to exit")
  func waitingForTheUser() {
    final class Alert: ScreenState {
      let name: StateName = "alert"
      let awaitsUser = true
      private(set) var open: Visit?
      func enter(on target: Screen, visit: Visit) { visit.entered() }
      func exit(from target: Screen, visit: Visit) { open = visit }
    }
    let scene = scene(.force)
    let alert = Alert()
    scene.controller.transition(to: alert)
    scene.controller.transition(to: ScriptedState("content"))
    clock.advance(by: .seconds(60))
    #expect(scene.screen.lines == [] && scene.log.count(.deadline) == 0)
    alert.open?.exited()
    #expect(scene.screen.lines == ["+content"] && scene.log.count(.stray) == 0)
  }

  @MainActor
  @Test("an async state that is skipped is cancelled, and removes what it shows late")
  func skippedAsyncState() async {
    let scene = scene(.skip)
    let late = AsyncState<Screen>("late") { screen in
      while !Task.isCancelled { await Task.yield() }
      screen.lines.append("late in")
    } exit: { screen in
      screen.lines.append("late out")
    }
    scene.controller.transition(to: late)
    scene.controller.transition(to: ScriptedState("content"))
    for _ in 0..<10 { await Task.yield() }
    clock.advance(by: .seconds(1))
    while !scene.screen.lines.contains("late in") || scene.screen.lines.last != "late out" {
      await Task.yield()
    }
    #expect(scene.screen.lines.first == "+content")
    #expect(scene.controller.phase == .entered)
  }

  @Test("an alert that only its deadline has entered can be given up, until it has come")
  func alertThatNeverCame() {
    final class Alert: ScreenState {
      let name: StateName = "alert"
      let awaitsUser = true
      private(set) var coming: Visit?
      func enter(on target: Screen, visit: Visit) { coming = visit }
      func exit(from target: Screen, visit: Visit) {}
    }
    for comesLate in [false, true] {
      let scene = scene(.force)
      let alert = Alert()
      scene.controller.transition(to: alert)
      clock.advance(by: .seconds(1))
      scene.controller.transition(to: ScriptedState("content"))
      #expect(scene.controller.phase == .exiting)
      clock.advance(by: .seconds(1))
      if comesLate { alert.coming?.entered() }
      clock.advance(by: .seconds(60))
      #expect(scene.screen.lines == (comesLate ? [] : ["+content"]))
      if comesLate { alert.coming?.exited() }
      #expect(scene.screen.lines == ["+content"])
    }
  }

  @MainActor
  @Test("what an async state shows late is removed behind its exit, and before it is shown again")
  func lateAsyncState() async {
    let scene = scene(.skip)
    var (isComing, isGoing) = (true, true)
    let late = AsyncState<Screen>("late") { screen in
      while isComing { await Task.yield() }
      screen.lines.append("in")
    } exit: { screen in
      screen.lines.append("going")
      while isGoing { await Task.yield() }
      screen.lines.append("out")
    }
    scene.controller.transition(to: late)
    clock.advance(by: .seconds(1))
    while scene.screen.lines.isEmpty { await Task.yield() }
    isComing = false
    while scene.screen.lines.count < 2 { await Task.yield() }
    for _ in 0..<20 { await Task.yield() }
    // The first exit is still under way.
    #expect(scene.screen.lines == ["going", "in"])
    isGoing = false
    while scene.screen.lines.count < 5 { await Task.yield() }
    #expect(scene.screen.lines == ["going", "in", "out", "going", "out"])
    scene.controller.transition(to: late)
    while scene.controller.phase != .entered { await Task.yield() }
    #expect(scene.screen.lines.last == "in")
  }

  @MainActor
  @Test("an async state that waits for its user is asked to exit once")
  func lateAsyncAlert() async {
    let scene = scene(.force)
    var (isComing, closes) = (true, [CheckedContinuation<Void, Never>]())
    let alert = AsyncState<Screen>("alert", awaitsUser: true) { _ in
      while isComing { await Task.yield() }
    } exit: { _ in
      await withCheckedContinuation { closes.append($0) }
    }
    scene.controller.transition(to: alert)
    clock.advance(by: .seconds(1))
    scene.controller.transition(to: ScriptedState("content"))
    while closes.isEmpty { await Task.yield() }
    isComing = false
    while scene.log.count(.stray) == 0 { await Task.yield() }
    for _ in 0..<20 { await Task.yield() }
    #expect(closes.count == 1)
    closes.first?.resume()
    while scene.controller.phase != .entered { await Task.yield() }
    #expect(scene.screen.lines == ["+content"])
  }

  @MainActor
  @Test("an async state whose enter never returns can still exit")
  func asyncStateWithoutEnd() async {
    let scene = scene(.force)
    let endless = AsyncState<Screen>("endless") { _ in
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    } exit: { screen in
      screen.lines.append("out")
    }
    scene.controller.transition(to: endless)
    clock.advance(by: .seconds(1))
    scene.controller.transition(to: ScriptedState("content"))
    while scene.screen.lines != ["out", "+content"] { await Task.yield() }
  }

  @Test("a clock that an action advances does not go back")
  func clockInAction() {
    _ = clock.schedule(after: .seconds(1)) { [clock] in clock.advance(by: .seconds(10)) }
    clock.advance(by: .seconds(2))
    #expect(clock.now >= .seconds(11))
  }

  @Test("skip tells a state that does not enter to exit, and does not wait for it")
  func skipEntering() {
    let scene = scene(.skip)
    let loading = ScriptedState("loading", enters: .byHand)
    scene.controller.transition(to: loading)
    scene.controller.transition(to: ScriptedState("content"))
    scene.log.forget()
    clock.advance(by: .seconds(1))
    #expect(
      scene.log.lines == [
        "deadline loading entered skip", "exiting loading", "stray loading exited",
        "discarded loading timedOut", "entering content", "entered content",
      ])
    #expect(scene.screen.lines == ["+loading", "-loading", "+content"])
    #expect(clock.scheduledCount == 0)
  }

  @Test("the effects of a deadline have the deadline as their cause")
  func cause() throws {
    let scene = scene(.skip)
    scene.controller.transition(to: ScriptedState("loading", enters: .byHand))
    clock.run()
    let deadline = try #require(scene.log.first(.deadline))
    #expect(deadline.cause == 0)
    #expect(scene.log.first(.exiting)?.cause == deadline.number)
    #expect(scene.log.first(.discarded)?.cause == deadline.number)
  }

  @Test(
    "deadlines without a timer trap with a message that says what to do", .enabled(if: isDebugBuild)
  )
  func noTimer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = StateController<Screen>(deadlines: Deadlines(entering: .seconds(1)))
    }
    let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(said.contains("Pass `timer: ClockTimer()`"))
  }

  @MainActor
  @Test("a timer on a real clock skips a state that never enters")
  func realClock() async {
    let screen = Screen()
    let controller = StateController<Screen>(
      deadlines: Deadlines(entering: .milliseconds(1), recovery: .skip), timer: ClockTimer())
    controller.bind(to: screen)
    let events = controller.events.stream()
    controller.transition(to: ScriptedState("stuck", enters: .byHand, exits: .byHand))
    for await event in events where event.kind == .discarded {
      #expect(event.detail == .discard(.timedOut))
      break
    }
    #expect(screen.lines == ["+stuck", "-stuck"])
  }
}
