import Chance
import Staty
import StatyRules
import Testing

@Suite("The live monitor")
struct OrderingMonitorTests {
  final class Screen {}

  final class Plain: ScreenState {
    let name: StateName
    private(set) var visit: Visit?
    private let saysEntered: Bool

    init(_ name: StateName, saysEntered: Bool = true) {
      self.name = name
      self.saysEntered = saysEntered
    }

    func enter(on screen: Screen, visit: Visit) {
      self.visit = visit
      if saysEntered { visit.entered() }
    }

    func exit(from screen: Screen, visit: Visit) {}
  }

  /// An app's own controller with two faults.
  ///
  /// It tells the visit before the last to exit even if that has not entered, and it takes a second
  /// exit for one of the visit on the stage.
  final class Careless: Recordable {
    final class Object {}

    let probe = ControllerProbe("careless")
    private var queue: [(object: Object, name: StateName)] = []
    var events: EventSource { probe.events }

    func transit(to object: Object, named name: StateName) {
      probe.requested(object, named: name) {
        queue.append((object, name))
        if queue.count == 1 {
          show()
        } else {
          probe.telling(.exit, queue[queue.count - 2].object) {}
        }
      }
    }

    func hasLeft(_ object: Object) {
      probe.completed(.exited, object) {
        queue.removeFirst()
        show()
      }
    }

    private func show() {
      guard let first = queue.first else { return }
      probe.telling(.enter, first.object) { probe.completed(.entered, first.object) }
    }
  }

  final class Heard {
    var findings: [OrderingMonitor.LiveFinding] = []
    var codes: [RuleCode] { findings.map(\.code) }
  }

  private func monitor(_ recordable: some Recordable) -> Heard {
    let heard = Heard()
    _ = OrderingMonitor(of: recordable, as: "checkout", then: .call { heard.findings.append($0) })
    return heard
  }

  @Test func `it calls its handler in the moment when a rule is broken`() {
    let controller = Careless()
    let heard = monitor(controller)
    let (first, second, third) = (Careless.Object(), Careless.Object(), Careless.Object())
    controller.transit(to: first, named: "a")
    controller.transit(to: second, named: "b")
    #expect(heard.codes == [])
    controller.transit(to: third, named: "c")
    #expect(
      heard.findings.map(\.description) == [
        "checkout: error: exit-before-enter: Visit #2 (b) was told to exit before it was told to "
          + "enter."
      ])
  }

  @Test func `it finds a second exit that the controller acts on`() {
    let controller = Careless()
    let heard = monitor(controller)
    let (first, second, third) = (Careless.Object(), Careless.Object(), Careless.Object())
    controller.transit(to: first, named: "a")
    controller.transit(to: second, named: "b")
    controller.hasLeft(first)
    controller.transit(to: third, named: "c")
    controller.hasLeft(first)
    #expect(heard.codes == [.overlap, .doubleExit])
    #expect(heard.findings.last?.visit == VisitNumber(1))
  }

  @Test func `it goes on when a recorder numbers the events anew`() {
    final class Leaving: ScreenState {
      private(set) var visit: Visit?
      func enter(on target: Screen, visit: Visit) { visit.entered() }
      func exit(from target: Screen, visit: Visit) { self.visit = visit }
    }
    let (controller, target) = (StateController<Screen>(), Screen())
    let heard = monitor(controller)
    controller.bind(to: target)
    let first = Leaving()
    controller.transition(to: first)
    for _ in 0..<3 { controller.transition(to: Leaving()) }
    first.visit?.exited()
    _ = controller.events.share(Numbering())
    controller.transition(to: Leaving())
    #expect(heard.findings == [])
  }

  @Test func `it finds no error in Staty's controllers, in random runs`() {
    for policy in RandomRun.Policy.allCases {
      for run in 0..<50 {
        let random = RandomRun(policy, seed: testSeed &+ UInt64(run))
        let heard = monitor(random.controller)
        _ = random.record()
        let errors = heard.findings.filter { $0.severity == .error }
        #expect(errors == [], "STATY_SEED=\(testSeed &+ UInt64(run))")
      }
    }
  }

  @Test func `after a user has left nothing on screen, routes from the beginning apply`() {
    final class Screen {}
    final class Still: ScreenState {
      func enter(on target: Screen, visit: Visit) { visit.entered() }
      func exit(from target: Screen, visit: Visit) { visit.exited() }
    }
    let routes = Routes<String>(states: ["a", "b"]) {
      Start {
        To("a")
        To("b")
      }
    }
    let (controller, screen) = (RoutedController(routes: routes) { _, _ in Still() }, Screen())
    let heard = monitor(controller)
    controller.states.bind(to: screen)
    controller.show("a")
    controller.showAnew("b")
    #expect(heard.codes == [])
    #expect(controller.currentKey == "b")
    // A user's own move is recorded even if no route leads there.
    controller.follow(to: "a")
    #expect(heard.codes == [.undeclaredTransition])
  }

  @Test func `a request that was made anew and still waits when it begins needs no other route`() {
    final class Leaving: ScreenState {
      private(set) var visit: Visit?
      func enter(on target: Screen, visit: Visit) { visit.entered() }
      func exit(from target: Screen, visit: Visit) { self.visit = visit }
    }
    let routes = Routes<String>(states: ["a", "b"]) {
      Start {
        To("a")
        To("b")
      }
    }
    let (first, screen) = (Leaving(), Screen())
    let controller = RoutedController(routes: routes) { key, _ in key == "a" ? first : Leaving() }
    controller.states.bind(to: screen)
    controller.show("a")
    controller.showAnew("b")
    let heard = monitor(controller)
    first.visit?.exited()
    #expect(controller.currentKey == "b")
    #expect(heard.codes == [])
  }

  /// A recorder that begins to observe numbers all events anew.
  @Test func `it goes on when the events are numbered anew`() {
    enum Feed: Hashable { case idle, ready(Int) }
    let track = StateTrack("feed", Feed.idle)
    let heard = monitor(track)
    func refresh(_ number: Int) {
      let asked = track.received("refresh") { MessageOrigin.current }
      track.received("refreshed", answering: asked) { track.moved(to: Feed.ready(number)) }
    }
    for number in 0..<20 { refresh(number) }
    let numbering = Numbering()
    #expect(track.events.share(numbering))
    refresh(30)
    #expect(heard.codes == [])
    withExtendedLifetime(numbering) {}
  }

  @Test func `a visit that awaits the user still does when it begins`() {
    final class Alerts: Recordable {
      let clock = ManualClock()
      lazy var probe = ControllerProbe("alerts", elapsed: { [clock] in clock.now })
      var events: EventSource { probe.events }
    }
    let (alerts, alert) = (Alerts(), Careless.Object())
    alerts.probe.requested(alert, awaitsUser: true) {
      alerts.probe.telling(.enter, alert) { alerts.probe.completed(.entered, alert) }
    }
    #expect(alerts.events.snapshot.standing.standing.first?.request.answers != 0)
    let heard = monitor(alerts)
    alerts.probe.telling(.exit, alert) {}
    alerts.clock.advance(by: .seconds(9))
    alerts.probe.completed(.exited, alert)
    #expect(heard.codes == [])
  }

  @Test func `it finds a double push above an element that was there when it begins`() {
    final class Listener: TransitionObserver {
      func observe(_ event: borrowing TransitionEvent) {}
    }
    let track = StackTrack("path")
    track.events.add(Listener())
    for path in [["detail"], [], ["list", "detail"]] { track.moved(to: path) }
    let heard = monitor(track)
    track.moved(to: ["list", "detail", "detail"])
    #expect(heard.codes == [.doublePush])
  }

  @Test func `it stops the process at a warning, unless it is to stop at errors alone`() async {
    await #expect(processExitsWith: .failure) { Self.pushTwice(.trap(.note)) }
    await #expect(processExitsWith: .failure) { Self.pushTwice(.trap(.warning)) }
    Self.pushTwice(.trap(.error))
  }

  private static func pushTwice(_ reaction: OrderingMonitor.Reaction) {
    let track = StackTrack("path")
    _ = OrderingMonitor(of: track, as: "path", then: reaction)
    for path in [["detail"], ["detail", "detail"]] { track.moved(to: path) }
  }

  @Test func `it finds nothing after it was stopped`() {
    let controller = Careless()
    let heard = Heard()
    let monitor = OrderingMonitor(
      of: controller, as: "checkout", then: .call { heard.findings.append($0) })
    monitor.stop()
    for name in ["a", "b", "c"] { controller.transit(to: .init(), named: StateName(name)) }
    #expect(heard.codes == [])
  }

  @Test func `it lists which visits are stuck, what they wait for and since when`() throws {
    let controller = StateController<Screen>()
    var now = EventSource.clock
    let monitor = OrderingMonitor(of: controller, as: "checkout", now: { now })
    let screen = Screen()
    controller.transition(to: Plain("early"))
    now += 3_000_000_000
    #expect(monitor.stuck.map(\.waiting) == [.forTarget])
    controller.bind(to: screen)
    controller.transition(to: Plain("silent"))
    #expect(controller.phase == .exiting)
    now += 60_000_000_000
    let stuck = monitor.stuck
    #expect(stuck.map(\.waiting) == [.toExit, .behind(VisitNumber(1))])
    #expect(
      stuck.map(\.description) == [
        "Visit #1 (early) waits for its state to exit.",
        "Visit #2 (silent) waits behind #1.",
      ])
    #expect(stuck.allSatisfy { $0.since <= now - 59_000_000_000 })
  }

  /// What a class reports of objects that it is asked for more than once.
  enum Twice: CaseIterable {
    case timedOut, timedOutBeside, cancelled, movedBack, urgent, stacked

    var discipline: Discipline {
      switch self {
      case .urgent: .byUrgency
      case .stacked: .stack
      default: .inOrder
      }
    }

    func report(to probe: ControllerProbe) {
      let (a, b, c) = (Careless.Object(), Careless.Object(), Careless.Object())
      func ask(
        _ object: Careless.Object, priority: Int32 = 0, _ body: () -> Void = {}
      ) {
        let name: StateName = object === a ? "a" : object === b ? "b" : "c"
        probe.requested(object, named: name, priority: priority, body)
      }
      func enter(_ object: Careless.Object) {
        probe.telling(.enter, object) { probe.completed(.entered, object) }
      }
      func leave(_ object: Careless.Object) {
        probe.telling(.exit, object) { probe.completed(.exited, object) }
      }
      switch self {
      case .timedOut, .timedOutBeside:
        ask(a) { probe.telling(.enter, a) {} }
        if self == .timedOutBeside { ask(b) }
        ask(a)
        probe.missed(.entered, a, recovery: .skip) {
          probe.discarded(a, .timedOut)
          if self == .timedOutBeside {
            enter(b)
            leave(b)
          }
          enter(a)
        }
      case .cancelled:
        ask(b) { enter(b) }
        ask(a)
        ask(a)
        probe.cancelled(a) { probe.discarded(a, .cancelled) }
        leave(b)
        enter(a)
      case .movedBack:
        ask(b) { enter(b) }
        ask(a)
        ask(c)
        ask(a) { probe.discarded(a, .replaced) }
        leave(b)
        enter(c)
        leave(c)
        enter(a)
      case .urgent:
        ask(a) { enter(a) }
        ask(a)
        ask(b, priority: 5)
        ask(a, priority: 9)
        leave(a)
        enter(a)
        leave(a)
        enter(b)
        leave(b)
        enter(a)
      case .stacked:
        ask(a) { enter(a) }
        ask(b) { enter(b) }
        ask(a) { enter(a) }
        leave(a)
        leave(b)
      }
    }
  }

  @Test(arguments: Twice.allCases)
  func `a class that is asked twice for an object is judged by what it meant`(_ twice: Twice) {
    final class Class: Recordable {
      let probe: ControllerProbe
      var events: EventSource { probe.events }
      init(_ discipline: Discipline) { probe = ControllerProbe("own", discipline: discipline) }
    }
    let made = Class(twice.discipline)
    let heard = monitor(made)
    twice.report(to: made.probe)
    #expect(heard.codes == [])
  }
}
