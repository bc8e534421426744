import Staty
import Testing

@Suite("A state controller")
struct StateControllerTests {
  @Test("shows a state at once if no other is shown")
  func first() {
    let scene = Scene()
    #expect(scene.controller.phase == .empty)
    #expect(scene.controller.currentState == nil)
    let loading = ScriptedState("loading")
    let visit = scene.controller.transition(to: loading)
    #expect(visit == VisitNumber(1))
    #expect(scene.controller.currentState === loading)
    #expect(scene.controller.currentVisit == visit)
    #expect(scene.controller.phase == .entered)
    #expect(scene.screen.lines == ["+loading"])
  }

  @Test("lets a state enter only after the state before has exited")
  func oneAtATime() {
    let scene = Scene()
    let loading = ScriptedState("loading", enters: .byHand, exits: .byHand)
    scene.controller.transition(to: loading)
    let second = scene.controller.transition(to: ScriptedState("content"))
    let third = scene.controller.transition(to: ScriptedState("empty"))
    #expect(scene.screen.lines == ["+loading"])
    #expect(scene.controller.phase == .entering)
    #expect(scene.controller.isTransitioning)
    loading.saysEntered()
    #expect(scene.screen.lines == ["+loading", "-loading"])
    #expect(scene.controller.phase == .exiting)
    #expect(scene.controller.pendingVisits == [second, third])
    loading.saysExited()
    #expect(scene.screen.lines == ["+loading", "-loading", "+content", "-content", "+empty"])
    #expect(scene.controller.pendingVisits == [])
  }

  @Test("a state that never completes blocks only the requests behind it")
  func never() {
    let scene = Scene()
    scene.controller.transition(to: ScriptedState("stuck", enters: .byHand))
    scene.controller.transition(to: ScriptedState("content"))
    #expect(scene.screen.lines == ["+stuck"])
    scene.controller.tearDown()
    #expect(
      scene.log.lines.suffix(2) == ["discarded stuck tornDown", "discarded content tornDown"])
  }

  @Test("a request inside enter is decided at once and carried out after the current work")
  func nested() {
    let scene = Scene()
    let content = ScriptedState("content")
    let loading = ScriptedState(
      "loading",
      coming: { visit in
        scene.controller.transition(to: content)
        scene.screen.lines.append("asked")
        visit.entered()
        scene.screen.lines.append("said")
      }, leaving: { $0.exited() })
    scene.controller.transition(to: loading)
    #expect(scene.screen.lines == ["+loading", "asked", "said", "-loading", "+content"])
  }

  @Test("a chain of requests, each inside the enter before, neither nests nor ends early")
  func chain() {
    let scene = Scene()
    var left = 2000
    func next() {
      left -= 1
      guard left > 0 else { return }
      scene.controller.transition(
        to: ScriptedState(
          "link",
          coming: {
            $0.entered()
            next()
          }, leaving: { $0.exited() }))
    }
    next()
    #expect(scene.log.count(.entering) == 1999)
    #expect(scene.log.count(.exited) == 1998)
  }
}

// MARK: Exits without a request

extension StateControllerTests {
  @Test("a state that exits by itself while alone stays available as the last one")
  func selfExit() {
    let scene = Scene()
    let alert = ScriptedState("alert")
    scene.controller.transition(to: alert)
    alert.saysExited()
    #expect(scene.controller.phase == .exited)
    #expect(scene.controller.currentState === alert)
    scene.controller.transition(to: ScriptedState("content"))
    #expect(scene.screen.lines == ["+alert", "+content"])
  }

  @Test("when a state exits by itself, the pending one enters, and the first is not told to exit")
  func selfExitWithOthers() {
    let scene = Scene()
    let alert = ScriptedState("alert", enters: .byHand, exits: .byHand)
    scene.controller.transition(to: alert)
    scene.controller.transition(to: ScriptedState("content"))
    alert.saysExited()
    #expect(scene.screen.lines == ["+alert", "+content"])
    #expect(scene.log.count(.exiting) == 0)
  }
}

// MARK: Cancelling

extension StateControllerTests {
  @Test("cancelling a pending visit discards only this visit")
  func cancelWaiting() {
    let scene = Scene()
    let loading = ScriptedState("loading", enters: .byHand)
    scene.controller.transition(to: loading)
    let unwanted = scene.controller.transition(to: ScriptedState("unwanted"))
    scene.controller.transition(to: ScriptedState("content"))
    scene.controller.cancel(unwanted)
    loading.saysEntered()
    #expect(scene.screen.lines == ["+loading", "-loading", "+content"])
    #expect(scene.log.lines.contains("discarded unwanted cancelled"))
  }

  @Test("cancelling the current visit tells it to exit when it has entered")
  func cancelCurrent() {
    let scene = Scene()
    let loading = ScriptedState("loading", enters: .byHand)
    let visit = scene.controller.transition(to: loading)
    scene.controller.cancel(visit)
    #expect(scene.screen.lines == ["+loading"])
    loading.saysEntered()
    #expect(scene.screen.lines == ["+loading", "-loading"])
    #expect(scene.controller.phase == .exited)
    #expect(scene.log.count(.discarded) == 0)
  }

  @Test("cancelling a visit that has ended or never existed makes no event")
  func cancelUnknown() {
    let scene = Scene()
    let alert = ScriptedState("alert")
    let visit = scene.controller.transition(to: alert)
    alert.saysExited()
    scene.log.forget()
    scene.controller.cancel(visit)
    scene.controller.cancel(VisitNumber(99))
    #expect(scene.log.lines == [])
  }

  @Test("cancelling all discards the pending visits and tells the current one to exit")
  func cancelAll() {
    let scene = Scene()
    scene.controller.transition(to: ScriptedState("loading", exits: .byHand))
    scene.controller.transition(to: ScriptedState("content"))
    scene.controller.transition(to: ScriptedState("empty"))
    scene.log.forget()
    scene.controller.cancelAll()
    #expect(
      scene.log.lines == [
        "cancelled all", "discarded content cancelled", "discarded empty cancelled",
      ])
    #expect(scene.controller.phase == .exiting)
  }

  @Test("after a tear-down during a transition, nothing is awaited and new requests are discarded")
  func tearDown() {
    let scene = Scene()
    let loading = ScriptedState("loading", exits: .byHand)
    scene.controller.transition(to: loading)
    scene.controller.transition(to: ScriptedState("content"))
    scene.controller.tearDown()
    loading.saysExited()
    scene.controller.transition(to: ScriptedState("late"))
    #expect(scene.screen.lines == ["+loading", "-loading"])
    #expect(
      scene.log.lines.suffix(6) == [
        "cancelled tearDown", "discarded loading tornDown", "discarded content tornDown",
        "stray loading exited", "enqueued late", "discarded late tornDown",
      ])
  }

  @Test(
    "no state is told to enter after a tear-down, even if that happens just before its enter")
  func tearDownBetween() {
    let scene = Scene()
    let loading = ScriptedState("loading", exits: .byHand)
    scene.controller.transition(to: loading)
    scene.controller.transition(to: ScriptedState("content"))
    let controller = scene.controller
    scene.log.onEvent = { if $0.kind == .exited { controller.tearDown() } }
    loading.saysExited()
    #expect(scene.screen.lines == ["+loading", "-loading"])
    #expect(
      scene.log.lines.suffix(3) == [
        "exited loading", "cancelled tearDown", "discarded content tornDown",
      ])
  }
}

// MARK: Binding

extension StateControllerTests {
  @Test("without a target, requests are pending until there is one")
  func unbound() {
    let controller = StateController<Screen>()
    let log = EventLog()
    controller.events.add(log)
    let loading = ScriptedState("loading")
    controller.transition(to: loading)
    controller.transition(to: ScriptedState("content"))
    #expect(!controller.isBound)
    #expect(controller.phase == .empty)
    #expect(log.lines == ["enqueued loading", "enqueued content"])
    let screen = Screen()
    controller.bind(to: screen)
    #expect(controller.isBound)
    #expect(screen.lines == ["+loading", "-loading", "+content"])
    #expect(log.first(.entering)?.cause == log.first(.resumed)?.number)
  }

  @Test("after a second binding, states enter on and exit from the new target")
  func rebind() {
    let scene = Scene()
    scene.controller.transition(to: ScriptedState("loading"))
    let second = Screen()
    scene.controller.bind(to: second)
    scene.controller.transition(to: ScriptedState("content"))
    #expect(scene.screen.lines == ["+loading"])
    #expect(second.lines == ["-loading", "+content"])
    #expect(scene.log.count(.resumed) == 0)
  }

  @Test("a target that is not an object is found again each time")
  func closure() {
    let controller = StateController<Screen>()
    let screens = [Screen(), Screen()]
    var asked = 0
    controller.bind {
      asked += 1
      return screens[0]
    }
    controller.transition(to: ScriptedState("loading"))
    #expect(asked > 0)
    #expect(screens[0].lines == ["+loading"])
  }

  @Test(
    "when the target is released the controller ends, and observers are told",
    arguments: [
      true, false,
    ])
  func targetGone(isObserved: Bool) {
    let controller = StateController<Screen>()
    let log = EventLog()
    var screen: Screen? = Screen()
    controller.bind(to: screen!)
    let loading = ScriptedState("loading")
    controller.transition(to: loading)
    if isObserved { controller.events.add(log) }
    screen = nil
    controller.transition(to: ScriptedState("content"))
    #expect(controller.phase == .exited)
    #expect(controller.currentState === loading)
    controller.transition(to: ScriptedState("late"))
    #expect(
      log.lines
        == (isObserved
          ? [
            "enqueued content", "cancelled tearDown", "discarded loading tornDown",
            "discarded content tornDown", "enqueued late", "discarded late tornDown",
          ] : []))
  }

  @Test(
    "a binding after the target was released traps with a message that says what to do",
    .enabled(if: isDebugBuild))
  func boundAfterRelease() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let controller = StateController<Screen>()
      var screen: Screen? = Screen()
      controller.bind(to: screen!)
      screen = nil
      controller.transition(to: ScriptedState("content"))
      controller.bind(to: Screen())
    }
    let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(said.contains("Make a new controller for a new target."))
  }

  @Test("a state that an observer reports as exited is still told to exit")
  func calledOutBefore() {
    let scene = Scene()
    let loading = ScriptedState("loading")
    let content = ScriptedState("content", enters: .byHand)
    var asked = false
    scene.log.onEvent = { event in
      guard event.kind == .exiting, !asked else { return }
      asked = true
      loading.saysExited()
      // This request would enter first if the controller had already given up the waiting one.
      scene.controller.transition(to: ScriptedState("alert"))
    }
    scene.controller.transition(to: loading)
    scene.controller.transition(to: content)
    content.saysEntered()
    #expect(scene.screen.lines == ["+loading", "-loading", "+content", "-content", "+alert"])
    #expect(scene.log.count(.cancelled) == 0)
    #expect(scene.log.count(.stray) == 1, "it says so itself, too")
    #expect(scene.controller.currentState?.name == "alert")
  }

  @Test("a report by an observer before the state is told ends the deadline")
  func calledOutWhileWatched() {
    let clock = ManualClock()
    let scene = Scene(
      deadlines: Deadlines(entering: .seconds(1), exiting: .seconds(1), recovery: .report),
      clock: clock)
    let loading = ScriptedState("loading", enters: .byHand, exits: .byHand)
    let again = ScriptedState("content")
    scene.controller.transition(to: loading)
    loading.saysEntered()
    scene.log.onEvent = { if $0.kind == .exiting { loading.saysExited() } }
    scene.controller.transition(to: again)
    clock.advance(by: .seconds(5))
    #expect(scene.log.count(.deadline) == 0)
    #expect(scene.controller.currentState?.name == "content")
  }

  @Test(
    "a state that could not enter is not the current one, with and without observers",
    arguments: [
      true, false,
    ])
  func targetGoneBeforeTheFirst(isObserved: Bool) {
    let controller = StateController<Screen>()
    let log = EventLog()
    if isObserved { controller.events.add(log) }
    var screen: Screen? = Screen()
    controller.bind(to: screen!)
    screen = nil
    controller.transition(to: ScriptedState("content"))
    #expect(controller.currentState == nil)
    #expect(log.count(.entering) == 0)
  }
}

// MARK: Stray completions

extension StateControllerTests {
  @Test("an unexpected completion is stray, with its name, and changes nothing")
  func stray() {
    let scene = Scene()
    let loading = ScriptedState("loading")
    scene.controller.transition(to: loading)
    loading.saysEntered()
    let content = ScriptedState("content")
    scene.controller.transition(to: content)
    scene.log.forget()
    loading.saysExited()
    loading.saysEntered()
    #expect(scene.log.lines == ["stray loading exited", "stray loading entered"])
    #expect(scene.controller.currentState === content)
    #expect(scene.controller.phase == .entered)
  }

  @Test("a second entered is stray")
  func enteredTwice() {
    let scene = Scene()
    let loading = ScriptedState("loading")
    scene.controller.transition(to: loading)
    loading.saysEntered()
    #expect(scene.log.lines.suffix(2) == ["entered loading", "stray loading entered"])
    #expect(scene.log.events.last?.visit == VisitNumber(1))
  }

  @Test("entered during an exit is stray, and the exit continues")
  func enteredWhileLeaving() {
    let scene = Scene()
    let loading = ScriptedState("loading", exits: .byHand)
    scene.controller.transition(to: loading)
    scene.controller.transition(to: ScriptedState("content"))
    loading.saysEntered()
    #expect(scene.log.lines.last == "stray loading entered")
    loading.saysExited()
    #expect(scene.screen.lines == ["+loading", "-loading", "+content"])
  }

  @Test("a stray completion of an ended visit does not affect the visit that has its memory")
  func strayAfterReuse() {
    let scene = Scene()
    var old: [ScriptedState] = []
    for _ in 0..<20 {
      let state = ScriptedState("state", exits: .byHand)
      scene.controller.transition(to: state)
      for past in old {
        past.saysExited()
        past.saysEntered()
      }
      old.last?.saysExited()
      #expect(scene.controller.currentState === state)
      #expect(scene.controller.phase == .entered)
      old.append(state)
    }
  }
}
