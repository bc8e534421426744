import Chance
import Staty
import Testing

@Suite("The order of delivery")
struct DeliveryOrderTests {
  @Test("an event that is made during a delivery follows for every observer")
  func nested() {
    let scene = Scene()
    let second = EventLog()
    scene.controller.events.add(second)
    let controller = scene.controller
    scene.log.onEvent = {
      if $0.kind == .entered, $0.state == "a" { controller.transition(to: ScriptedState("b")) }
    }
    controller.transition(to: ScriptedState("a"))
    #expect(second.lines == scene.log.lines)
    #expect(
      second.lines == [
        "enqueued a", "entering a", "entered a", "enqueued b", "exiting a", "exited a",
        "entering b", "entered b",
      ])
  }

  @Test("whatever observers do, all see the same order with growing numbers")
  func random() {
    var events = 0
    for run in 0..<2000 {
      var script = Script(seed: testSeed &+ UInt64(run))
      let logs = script.run()
      let numbers = logs[0].numbers
      events += numbers.count
      let isOneOrder = logs.allSatisfy { $0.numbers == numbers && $0.lines == logs[0].lines }
      guard isOneOrder, zip(numbers, numbers.dropFirst()).allSatisfy(<) else {
        Issue.record("STATY_SEED=\(testSeed &+ UInt64(run)): \(logs.map(\.numbers))")
        return
      }
    }
    #expect(events > 10_000)
  }

  @Test("an observer that is added during a callback sees only later events")
  func addedMidway() {
    let scene = Scene()
    let late = EventLog()
    let events = scene.controller.events
    var isAdded = false
    scene.log.onEvent = { event in
      guard event.kind == .entering, !isAdded else { return }
      isAdded = true
      events.add(late)
      events.add(EventLog(), beforeOthers: true)
    }
    scene.controller.transition(to: ScriptedState("a"))
    #expect(late.lines == ["entered a"])
  }

  @Test("an observer that is added while events wait for delivery does not see these")
  func addedBehindOutbox() {
    let scene = Scene()
    let late = EventLog()
    let controller = scene.controller
    var isAdded = false
    scene.log.onEvent = { _ in
      if isAdded { return }
      isAdded = true
      controller.transition(to: ScriptedState("b", enters: .byHand))
      controller.events.add(late)
    }
    controller.transition(to: ScriptedState("a", enters: .byHand))
    #expect(scene.log.lines == ["enqueued a", "enqueued b", "entering a"])
    #expect(late.lines == ["entering a"])
  }

  @Test("an observer can remove itself or others with immediate effect", arguments: [true, false])
  func removedMidway(removesItself: Bool) {
    let scene = Scene()
    let second = EventLog()
    let events = scene.controller.events
    events.add(second)
    scene.log.onEvent = { [log = scene.log] event in
      if event.kind == .entering { events.remove(removesItself ? log : second) }
    }
    scene.controller.transition(to: ScriptedState("a"))
    let all = ["enqueued a", "entering a", "entered a"]
    #expect(scene.log.lines == (removesItself ? Array(all.prefix(2)) : all))
    #expect(second.lines == (removesItself ? all : Array(all.prefix(1))))
  }

  @Test("an observer that is added before others is told first")
  func beforeOthers() {
    let scene = Scene()
    var order: [String] = []
    let first = EventLog()
    scene.log.onEvent = { _ in order.append("added") }
    first.onEvent = { _ in order.append("before") }
    scene.controller.events.add(first, beforeOthers: true)
    scene.controller.transition(to: ScriptedState("a", enters: .byHand))
    #expect(order == ["before", "added", "before", "added"])
  }
}

/// A random play of requests, completions and cancels, some of them from observers and states.
private struct Script {
  private final class Dice {
    var random: SeededRandom
    var left = 12
    init(seed: UInt64) { random = SeededRandom(seed: seed) }
  }

  private let dice: Dice
  private let scene = Scene()

  init(seed: UInt64) {
    dice = Dice(seed: seed)
  }

  mutating func run() -> [EventLog] {
    let logs = [scene.log, EventLog(), EventLog()]
    for log in logs.dropFirst() { scene.controller.events.add(log) }
    let act = Self.act(dice, scene.controller)
    for log in logs { log.onEvent = { [dice] _ in if dice.random.below(5) == 0 { act() } } }
    while dice.left > 0 { act() }
    // Breaks the cycle: logs keep the play alive, and the play the controller.
    for log in logs { log.onEvent = { _ in } }
    return logs
  }

  private static func act(_ dice: Dice, _ controller: StateController<Screen>) -> () -> Void {
    var states: [ScriptedState] = []
    func act() {
      guard dice.left > 0 else { return }
      dice.left -= 1
      switch dice.random.below(8) {
      case 0..<4:
        let state = ScriptedState(
          "state",
          coming: { visit in
            if dice.random.below(3) == 0 { act() }
            if dice.random.below(3) > 0 { visit.entered() }
          },
          leaving: { visit in
            if dice.random.below(3) == 0 { act() }
            if dice.random.below(3) > 0 { visit.exited() }
          })
        states.append(state)
        controller.transition(to: state)
      case 4: states.randomElement(using: &dice.random)?.saysEntered()
      case 5, 6: states.randomElement(using: &dice.random)?.saysExited()
      default: controller.cancel(VisitNumber(UInt32(dice.random.below(8))))
      }
    }
    return act
  }
}
