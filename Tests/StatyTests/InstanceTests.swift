import Staty
import Testing

private protocol MessageShowing: AnyObject {
  func show(_ message: String)
}

private class BaseScreen: MessageShowing {
  var shown: [String] = []
  func show(_ message: String) { shown.append(message) }
}

private final class SpecialScreen: BaseScreen {}

private final class MessageState: ScreenState {
  func enter(on target: any MessageShowing, visit: Visit) {
    target.show("message")
    visit.entered()
  }

  func exit(from target: any MessageShowing, visit: Visit) { visit.exited() }

  var payload: StatePayload? { .open("hello") }
}

private final class BaseState: ScreenState {
  func enter(on target: BaseScreen, visit: Visit) {
    target.show("base")
    visit.entered()
  }

  func exit(from target: BaseScreen, visit: Visit) { visit.exited() }
}

@Suite("State objects and targets")
struct InstanceTests {
  @Test("an object that is requested twice has two visits with one instance, one after the other")
  func twice() {
    let scene = Scene()
    let loading = ScriptedState("loading")
    scene.controller.transition(to: ScriptedState("first"))
    scene.controller.transition(to: loading)
    scene.controller.transition(to: loading)
    #expect(scene.screen.lines == ["+first", "-first", "+loading", "-loading", "+loading"])
    let asked = scene.log.events.filter { $0.kind == .enqueued }
    #expect(asked.map(\.visit) == [VisitNumber(1), VisitNumber(2), VisitNumber(3)])
    #expect(asked.map(\.instance) == [VisitNumber(1), VisitNumber(2), VisitNumber(2)])
  }

  @Test("an object that is requested again after its first visit keeps its instance")
  func again() {
    let scene = Scene()
    let loading = ScriptedState("loading")
    scene.controller.transition(to: loading)
    scene.controller.transition(to: ScriptedState("content"))
    scene.controller.transition(to: loading)
    #expect(scene.log.events.last?.instance == VisitNumber(1))
    #expect(scene.log.events.last?.visit == VisitNumber(3))
  }

  @Test("thousands of objects in use at once are distinguished")
  func many() {
    let scene = Scene()
    scene.controller.transition(to: ScriptedState("stuck", enters: .byHand))
    let states = (0..<5000).map { _ in ScriptedState("waiting") }
    for state in states + states { scene.controller.transition(to: state) }
    let instances = scene.log.events.filter { $0.kind == .enqueued }.compactMap(\.instance)
    #expect(instances.map(\.rawValue) == [1] + Array(2...5001) + Array(2...5001))
  }

  @Test("an object can be used by another controller when it is free")
  func handedOver() {
    let one = Scene()
    let other = Scene()
    let loading = ScriptedState("loading")
    one.controller.transition(to: loading)
    loading.saysExited()
    other.controller.transition(to: ScriptedState("first"))
    other.controller.transition(to: loading)
    #expect(other.screen.lines.last == "+loading")
    #expect(other.log.events.last?.instance == VisitNumber(2))
  }

  @Test(
    "an object in use by two controllers traps with a message that says what to do",
    .enabled(if: isDebugBuild))
  func shared() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let one = Scene()
      let other = Scene()
      let loading = ScriptedState("loading")
      one.controller.transition(to: loading)
      other.controller.transition(to: loading)
    }
    let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(said.contains("The state 'loading' asked for at StatyTests/InstanceTests.swift:"))
    #expect(said.contains("Give each controller a state object of its own."))
  }

  @Test(
    "one of thousands of objects in use by two controllers traps, too", .enabled(if: isDebugBuild))
  func sharedAmongMany() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (one, other) = (Scene(), Scene())
      one.controller.transition(to: ScriptedState("stuck", enters: .byHand))
      let states = (0..<10_000).map { _ in ScriptedState("waiting") }
      for state in states { one.controller.transition(to: state) }
      other.controller.transition(to: ScriptedState("free"))
      other.controller.transition(to: states[9_999])
    }
    let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(said.contains("The state 'waiting' asked for at StatyTests/InstanceTests.swift:"))
  }

  @Test("thousands of objects are free for another controller after their own was torn down")
  func handedOverByThousands() {
    let states = (0..<10_000).map { _ in ScriptedState("waiting") }
    for _ in 1...2 {
      let scene = Scene()
      scene.controller.transition(to: ScriptedState("stuck", enters: .byHand))
      for state in states { scene.controller.transition(to: state) }
      scene.controller.tearDown()
      let discarded = scene.log.events.filter { $0.state == "waiting" && $0.kind == .discarded }
      #expect(discarded.count { $0.detail == .discard(.tornDown) } == 10_000)
    }
  }

  @Test("a state that lets itself be released while it exits is released after that")
  func releasedWhileExiting() {
    let scene = Scene()
    weak var released: ScriptedState?
    var wasThere = false
    do {
      let state = ScriptedState(
        "fleeting", coming: { $0.entered() },
        leaving: { visit in
          visit.exited()
          wasThere = released != nil
        })
      released = state
      scene.controller.transition(to: state)
    }
    scene.controller.transition(to: ScriptedState("next"))
    scene.controller.transition(to: ScriptedState("last"))
    #expect(wasThere)
    #expect(released == nil)
  }

  @Test("a state for a protocol enters on a target that a closure returns")
  func existential() {
    let screen = SpecialScreen()
    let controller = StateController<any MessageShowing>()
    controller.bind { [weak screen] in screen }
    controller.transition(to: MessageState())
    #expect(screen.shown == ["message"])
  }

  @Test("a state for a protocol or a superclass enters on a more special target")
  func upcast() {
    let screen = SpecialScreen()
    let controller = StateController<SpecialScreen>()
    let log = EventLog()
    controller.events.add(log)
    controller.bind(to: screen)
    let message = MessageState()
    controller.transition(to: message) { $0 }
    controller.transition(to: BaseState()) { $0 }
    controller.transition(to: message) { $0 }
    #expect(screen.shown == ["message", "base", "message"])
    #expect(log.events.last?.state == "MessageState")
    #expect(log.events.last?.instance == VisitNumber(1))
  }

  @Test("a state for a more general target is free for another controller after it has exited")
  func upcastHandedOver() {
    let screen = SpecialScreen()
    let controllers = [StateController<SpecialScreen>(), StateController<SpecialScreen>()]
    let message = MessageState()
    for controller in controllers {
      controller.bind(to: screen)
      let visit = controller.transition(to: message) { $0 }
      controller.cancel(visit)
      #expect(controller.phase == .exited)
    }
    #expect(screen.shown == ["message", "message"])
  }

  @Test("the payload of a state with an upcast is found")
  func upcastPayload() {
    let screen = SpecialScreen()
    let controller = StateController<SpecialScreen>()
    controller.bind(to: screen)
    let visit = controller.transition(to: MessageState()) { $0 }
    #expect(controller.events.payload(of: visit) == .open("hello"))
  }

  @Test("coalesce treats requests with equal keys, or with the same object, as one")
  func coalescing() {
    let scene = Scene(policy: .coalesce)
    let plain = ScriptedState("plain")
    scene.controller.transition(to: plain)
    scene.controller.transition(to: plain)
    scene.controller.transition(to: ScriptedState("keyed", key: "item 1"))
    scene.controller.transition(to: ScriptedState("same", key: "item 1"))
    scene.controller.transition(to: ScriptedState("other", key: "item 2"))
    #expect(scene.screen.lines == ["+plain", "-plain", "+keyed", "-keyed", "+other"])
    #expect(scene.log.lines.contains("discarded same coalesced"))
  }

  @Test("a state without a name has the name of its type, without generic arguments")
  func names() {
    #expect(MessageState().name == "MessageState")
    #expect(StateName(of: StateController<Screen>.self) == "StateController")
    #expect(StateName("a" + "b") == "ab")
  }
}
