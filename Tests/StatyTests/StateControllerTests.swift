import Staty
import Testing

@Suite("A state controller")
struct StateControllerTests {
  @Test("shows a state at once when nothing is in the way")
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

  @Test("lets nobody in before the one before has left")
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

  @Test("a state that never completes holds up those behind it and nothing else")
  func never() {
    let scene = Scene()
    scene.controller.transition(to: ScriptedState("stuck", enters: .byHand))
    scene.controller.transition(to: ScriptedState("content"))
    #expect(scene.screen.lines == ["+stuck"])
    scene.controller.tearDown()
    #expect(
      scene.log.lines.suffix(2) == ["discarded stuck tornDown", "discarded content tornDown"])
  }

  @Test("a request inside enter is told at once and carried out after what is in hand")
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

  @Test("a chain of requests, each inside the other's enter, neither nests nor ends early")
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

// MARK: Leaving by itself

extension StateControllerTests {
  @Test("a state that leaves by itself while alone stays readable as the last one")
  func selfExit() {
    let scene = Scene()
    let alert = ScriptedState("alert")
    scene.controller.transition(to: alert)
    alert.saysExited()
    #expect(scene.controller.phase == .left)
    #expect(scene.controller.currentState === alert)
    scene.controller.transition(to: ScriptedState("content"))
    #expect(scene.screen.lines == ["+alert", "+content"])
  }

  @Test("a state that leaves by itself makes room for the one that waits, and is not told twice")
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
  @Test("cancelling one that waits discards it alone")
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

  @Test("cancelling the current one tells it to leave, once it is in")
  func cancelCurrent() {
    let scene = Scene()
    let loading = ScriptedState("loading", enters: .byHand)
    let visit = scene.controller.transition(to: loading)
    scene.controller.cancel(visit)
    #expect(scene.screen.lines == ["+loading"])
    loading.saysEntered()
    #expect(scene.screen.lines == ["+loading", "-loading"])
    #expect(scene.controller.phase == .left)
    #expect(scene.log.count(.discarded) == 0)
  }

  @Test("cancelling a visit that is over, or never was, is not even an event")
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

  @Test("cancelling all discards who waits and tells the current one to leave")
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

  @Test("after a tear-down midway nothing is waited for, and what is asked for is discarded")
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
    "nobody is told to come in after a tear-down, also if that comes while the turn is being given")
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
  @Test("without a target requests are taken and wait until there is one")
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

  @Test("bound anew, states come in on and leave the new target")
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

  @Test("a target that is no object is found each time anew")
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
    "when the target has gone the controller ends quietly, and observers are told",
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
    #expect(controller.phase == .left)
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

  @Test("a state that observers call out before it is told to leave is told all the same")
  func calledOutBefore() {
    let scene = Scene()
    let loading = ScriptedState("loading")
    let content = ScriptedState("content", enters: .byHand)
    var asked = false
    scene.log.onEvent = { event in
      guard event.kind == .exiting, !asked else { return }
      asked = true
      loading.saysExited()
      // Would take the place of the first if that were given up already.
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

  @Test("what observers say for a state before it is told ends the watch over it")
  func calledOutWhileWatched() {
    let clock = ManualClock()
    let scene = Scene(
      deadlines: Deadlines(entering: .seconds(1), leaving: .seconds(1), recovery: .report),
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
    "a state that could not come in is not the current one, observed or not",
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
  @Test("a completion that fits nothing is told as stray, by name, and changes nothing")
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

  @Test("entered said twice is stray the second time")
  func enteredTwice() {
    let scene = Scene()
    let loading = ScriptedState("loading")
    scene.controller.transition(to: loading)
    loading.saysEntered()
    #expect(scene.log.lines.suffix(2) == ["entered loading", "stray loading entered"])
    #expect(scene.log.events.last?.visit == VisitNumber(1))
  }

  @Test("entered said while leaving is stray, and the leaving goes on")
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

  @Test("a stray of a visit that is over does not touch the one that has its place in memory")
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
