import Staty
import Testing

@Suite struct PlaceTests {
  @Test func `a policy's decision has the input that began the work as its place`() {
    let scene = Scene()
    scene.controller.transition(to: ScriptedState("a"))
    #expect(
      scene.log.places == [
        "enqueued a",
        "entering a < handled enqueued a",
        "entered a < performed entering a",
      ])
    scene.log.forget()
    scene.controller.transition(to: ScriptedState("b"))
    #expect(
      scene.log.places == [
        "enqueued b",
        "exiting a < handled enqueued b",
        "exited a < performed exiting a",
        "entering b < handled enqueued b, because of exited a",
        "entered b < performed entering b",
      ])
  }

  @Test func `a state's request has the order to it as its place`() {
    let scene = Scene()
    let controller = scene.controller
    controller.transition(
      to: ScriptedState(
        "a",
        coming: {
          controller.transition(to: ScriptedState("b", enters: .byHand))
          $0.entered()
        }, leaving: { $0.exited() }))
    #expect(
      scene.log.places == [
        "enqueued a",
        "entering a < handled enqueued a",
        "enqueued b < performed entering a",
        "entered a < performed entering a",
        "exiting a < handled enqueued a, because of entered a",
        "exited a < performed exiting a",
        "entering b < handled enqueued a, because of exited a",
      ])
  }

  @Test func `an observer's request has the observed event as its place`() {
    let scene = Scene()
    let controller = scene.controller
    var told: [EventPlace] = []
    scene.log.onEvent = {
      if $0.kind == .enqueued { told.append(controller.events.place) }
      if $0.kind == .enqueued, $0.state == "a" {
        controller.transition(to: ScriptedState("b", enters: .byHand))
      }
    }
    controller.transition(to: ScriptedState("a"))
    #expect(
      scene.log.places == [
        "enqueued a",
        "enqueued b < observed enqueued a",
        "entering a < handled enqueued a",
        "entered a < performed entering a",
        "exiting a < handled enqueued a, because of entered a",
        "exited a < performed exiting a",
        "entering b < handled enqueued a, because of exited a",
      ])
    let asked = scene.log.events.filter { $0.kind == .enqueued }
    #expect(told == asked.map { EventPlace($0.number, .observed) })
  }

  @Test func `a late delivery has the places around the delivery in progress`() {
    let scene = Scene()
    let other = Scene()
    let numbers = Numbering()
    for one in [scene, other] { _ = one.controller.events.share(numbers) }
    let inner = scene.controller
    // Observers get this event late, because the request is made while they get the first.
    scene.log.onEvent = {
      if $0.kind == .enqueued, $0.state == "a" { inner.transition(to: ScriptedState("late")) }
      if $0.kind == .enqueued, $0.state == "late" {
        other.controller.transition(to: ScriptedState("c", enters: .byHand))
      }
    }
    other.controller.transition(
      to: ScriptedState(
        "outer", coming: { _ in inner.transition(to: ScriptedState("a", enters: .byHand)) },
        leaving: { _ in }))
    let all = (scene.log.events + other.log.events).sorted { $0.number < $1.number }
    #expect(
      all.places == [
        "enqueued outer",
        "entering outer < handled enqueued outer",
        "enqueued a < performed entering outer",
        "enqueued late < observed enqueued a",
        "enqueued c < observed enqueued late",
        "entering a < handled enqueued a",
      ])
  }

  @Test func `a controller that is called inside another's call has its work there`() {
    let one = Scene()
    let other = Scene()
    let numbers = Numbering()
    for scene in [one, other] { _ = scene.controller.events.share(numbers) }
    one.controller.transition(
      to: ScriptedState(
        "outer",
        coming: {
          other.controller.transition(to: ScriptedState("inner"))
          $0.entered()
        }, leaving: { $0.exited() }))
    let all = (one.log.events + other.log.events).sorted { $0.number < $1.number }
    #expect(
      all.places == [
        "enqueued outer",
        "entering outer < handled enqueued outer",
        "enqueued inner < performed entering outer",
        "entering inner < handled enqueued inner",
        "entered inner < performed entering inner",
        "entered outer < performed entering outer",
      ])
  }

  @Test func `a deadline and a tear-down begin separate work`() {
    let clock = ManualClock()
    let scene = Scene(
      deadlines: Deadlines(entering: .seconds(1), recovery: .force), clock: clock)
    scene.controller.transition(to: ScriptedState("a", enters: .byHand))
    scene.controller.transition(to: ScriptedState("b", enters: .byHand))
    scene.log.forget()
    clock.advance(by: .seconds(1))
    #expect(scene.log.places.first == "deadline a entered force")
    #expect(scene.log.places.contains("exiting a < handled deadline a entered force"))
    scene.log.forget()
    scene.controller.tearDown()
    #expect(scene.log.places.first == "cancelled tearDown")
    #expect(scene.log.places.dropFirst().allSatisfy { $0.contains("< handled cancelled tearDown") })
  }

  @Test func `a controller that is attached during its own work continues with the new numbers`() {
    let scene = Scene()
    let controller = scene.controller
    let numbers = Numbering()
    for _ in 0..<100 { _ = numbers.next() }
    let late = EventLog()
    let a = ScriptedState(
      "a",
      coming: { visit in
        _ = controller.events.share(numbers)
        controller.events.add(late)
        visit.entered()
        controller.transition(to: ScriptedState("b"))
      }, leaving: { $0.exited() })
    controller.transition(to: a)
    // No number from before is taken for a new one.
    for event in late.events {
      #expect(event.number > 100)
      #expect(event.inside == .root || event.inside.event > 100, "\(event)")
      #expect(event.cause == 0 || event.cause > 100, "\(event)")
    }
    #expect(late.lines.last == "entered b")
  }
}

@Suite struct ProbePlaceTests {
  private final class Screen {}
  private struct Refusal: Error {}
  private let probe = ControllerProbe("hand-made")
  private let log = EventLog()

  init() {
    probe.events.add(log)
  }

  @Test func `immediate work and orders have the brackets as their places`() {
    let screen = Screen()
    probe.requested(screen, named: "a") {
      probe.telling(.enter, screen) { probe.completed(.entered, screen) }
    }
    #expect(
      log.places == [
        "enqueued a", "entering a < handled enqueued a", "entered a < performed entering a",
      ])
  }

  @Test func `a call to other code is an output, and returns its result`() {
    let screen = Screen()
    probe.requested(screen, named: "a") {
      let answer = probe.calling("shouldShow") {
        probe.cancelled(.all)
        return 42
      }
      #expect(answer == 42)
      probe.telling(.enter, screen) {}
    }
    #expect(
      log.places == [
        "enqueued a", "calling shouldShow < handled enqueued a",
        "cancelled all < called calling shouldShow", "entering a < handled enqueued a",
      ])
    #expect(log.first(.calling)?.kind.side == .output)
  }

  @Test func `a call to other code that throws ends too`() {
    probe.requested(Screen(), named: "a") {
      #expect(throws: Refusal.self) { try probe.calling("load") { throw Refusal() } }
      probe.cancelled(.all)
    }
    #expect(log.places.last == "cancelled all < handled enqueued a")
  }

  @Test func `a deferred step has the deferring event as its cause, and a number`() {
    var steps: [() -> Void] = []
    let screen = Screen()
    probe.requested(screen, named: "a") {
      steps.append(probe.deferred { probe.telling(.enter, screen) {} })
      steps.append(probe.deferred {})
    }
    probe.cancelled(.all) { steps.append(probe.deferred {}) }
    steps[1]()
    probe.completed(.entered, screen) { steps[0]() }
    steps[2]()
    #expect(
      log.places == [
        "enqueued a",
        "cancelled all",
        "resumed 2, because of enqueued a",
        "stray a entered",
        "resumed 1 < handled stray a entered, because of enqueued a",
        "entering a < handled resumed 1",
        "resumed 3, because of cancelled all",
      ])
  }

  @Test func `a step that runs in the handling that deferred it has no other cause`() {
    probe.requested(Screen(), named: "a") { probe.deferred {}() }
    #expect(log.places == ["enqueued a", "resumed 1 < handled enqueued a"])
  }
}

extension [TransitionEvent] {
  /// Each event with the place in which it happened, and its cause if that is another.
  var places: [String] {
    let lines = Dictionary(uniqueKeysWithValues: map { ($0.number, $0.line) })
    return map { event in
      var words = event.line
      if event.inside != .root {
        words += " < \(event.inside.part) \(lines[event.inside.event] ?? "?")"
      }
      if event.ownCause != 0 { words += ", because of \(lines[event.ownCause] ?? "?")" }
      return words
    }
  }
}

extension EventLog {
  /// Each event with the place in which it happened, and its cause if that is another.
  var places: [String] { events.places }
}
