import Staty
import Testing

@Suite("A controller that is released")
struct LettingGoTests {
  /// Has the only reference to a controller.
  private final class Owner {
    var controller: StateController<Screen>?
  }

  private let screen = Screen()
  private let log = EventLog()

  private func owner(of states: ScriptedState...) -> Owner {
    let owner = Owner()
    owner.controller = StateController<Screen>()
    owner.controller?.events.add(log)
    owner.controller?.bind(to: screen)
    for state in states { owner.controller?.transition(to: state) }
    return owner
  }

  @Test("tells its observers, and late completions are ignored")
  func whileLeaving() {
    let loading = ScriptedState("loading", exits: .byHand)
    let owner = owner(of: loading, ScriptedState("content"))
    log.forget()
    owner.controller = nil
    #expect(
      log.lines == [
        "cancelled tearDown", "discarded loading tornDown", "discarded content tornDown",
      ])
    loading.saysExited()
    loading.visit?.sendable.exited()
    #expect(log.count(.stray) == 0)
    #expect(screen.lines == ["+loading", "-loading"])
  }

  /// A screen that only its flow holds, and a state that ends the flow while it enters.
  private final class Flow {
    final class View {
      private(set) var hidden = 0
      func hide() { hidden += 1 }
    }

    final class Last: ScreenState {
      let flow: Flow
      private(set) var hidden = 0
      init(_ flow: Flow) { self.flow = flow }

      func enter(on view: View, visit: Visit) {
        (flow.controller, flow.view) = (nil, nil)
        view.hide()
        hidden = view.hidden
        visit.entered()
      }
      func exit(from view: View, visit: Visit) { visit.exited() }
    }

    final class First: ScreenState {
      private(set) var leaving: Visit?
      func enter(on view: View, visit: Visit) { visit.entered() }
      func exit(from view: View, visit: Visit) { leaving = visit }
    }

    var controller: StateController<View>? = .init()
    var view: View? = View()
  }

  @Test("keeps its target until the state that is being told something has returned")
  func targetInsideState() {
    for _ in 0..<100 {
      let flow = Flow()
      let (first, last) = (Flow.First(), Flow.Last(flow))
      flow.view.map { flow.controller?.bind(to: $0) }
      flow.controller?.transition(to: first)
      flow.controller?.transition(to: last)
      first.leaving?.exited()
      #expect(last.hidden == 1)
    }
  }

  /// A state that gives its controller another target while it enters.
  private final class Mover: ScreenState {
    let flow: Flow
    private(set) var hidden = 0
    init(_ flow: Flow) { self.flow = flow }

    func enter(on view: Flow.View, visit: Visit) {
      let new = Flow.View()
      flow.view = new
      flow.controller?.bind(to: new)
      view.hide()
      hidden = view.hidden
      visit.entered()
    }
    func exit(from view: Flow.View, visit: Visit) { visit.exited() }
  }

  @Test("keeps a target that is replaced until the state that is told of it has returned")
  func replacedTarget() {
    for _ in 0..<100 {
      let flow = Flow()
      let (first, mover) = (Flow.First(), Mover(flow))
      weak let old = flow.view
      flow.view.map { flow.controller?.bind(to: $0) }
      flow.controller?.transition(to: first)
      flow.controller?.transition(to: mover)
      first.leaving?.exited()
      #expect(mover.hidden == 1 && old == nil)
    }
  }

  @Test("does not show a state that is announced when it is released")
  func insideAnnouncement() {
    let loading = ScriptedState("loading", exits: .byHand)
    let owner = owner(of: loading, ScriptedState("content"))
    final class Dropper: TransitionObserver {
      weak var owner: Owner?
      func observe(_ event: borrowing TransitionEvent) {
        if event.kind == .entering { owner?.controller = nil }
      }
    }
    let dropper = Dropper()
    dropper.owner = owner
    owner.controller?.events.add(dropper)
    loading.saysExited()
    #expect(owner.controller == nil)
    #expect(screen.lines == ["+loading", "-loading"])
  }

  private actor Player {
    private let screen = Screen()
    private var controller: StateController<Screen>?

    func start() {
      let controller = StateController<Screen>(
        deadlines: Deadlines(entering: .seconds(900)), timer: ClockTimer())
      controller.bind(to: screen)
      controller.transition(
        to: AsyncState("playing") { _ in
        } exit: { _ in
        })
      self.controller = controller
    }
  }

  @Test("does not retain the actor that it lives on")
  func actor() async throws {
    weak var freed: Player?
    do {
      let player = Player()
      freed = player
      await player.start()
    }
    for _ in 0..<100 where freed != nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(freed == nil)
  }

  @Test("does not retain its states, and is not retained by them")
  func freed() {
    weak var freed: StateController<Screen>?
    weak var state: ScriptedState?
    do {
      let loading = ScriptedState("loading", enters: .byHand)
      let owner = owner(of: loading)
      freed = owner.controller
      state = loading
      #expect(freed != nil)
    }
    #expect(freed == nil)
    #expect(state == nil)
  }

  @Test("ends in the same way inside an observer's callback for a completion", arguments: 1...2)
  func insideObserver(observers: Int) {
    for _ in 0..<500 {
      log.forget()
      let loading = ScriptedState("loading", exits: .byHand)
      let owner = owner(of: loading, ScriptedState("content"), ScriptedState("last"))
      let droppers = (0..<observers).map { _ in EventLog() }
      for dropper in droppers {
        owner.controller?.events.add(dropper)
        dropper.onEvent = { if $0.kind == .exited { owner.controller = nil } }
      }
      log.forget()
      loading.saysExited()
      #expect(owner.controller == nil)
      let lines = log.lines
      guard
        lines == [
          "exited loading", "cancelled tearDown", "discarded content tornDown",
          "discarded last tornDown",
        ]
      else {
        Issue.record("observers were told \(lines)")
        return
      }
      loading.saysExited()
    }
    #expect(!screen.lines.contains("+content"))
  }

  @Test("ends in the same way inside a state's exit, and the next state does not enter")
  func insideState() {
    for _ in 0..<500 {
      var drop = {}
      let loading = ScriptedState(
        "loading", coming: { _ in },
        leaving: { visit in
          drop()
          visit.exited()
        })
      let owner = owner(of: loading, ScriptedState("content"))
      drop = { owner.controller = nil }
      loading.saysEntered()
      #expect(owner.controller == nil)
    }
    #expect(!screen.lines.contains("+content"))
    #expect(log.count(.cancelled) == 500)
  }

  @Test("stops its running deadline")
  func deadline() {
    let clock = ManualClock()
    var controller: StateController<Screen>? = StateController(
      deadlines: Deadlines(entering: .seconds(1)), timer: clock)
    controller?.bind(to: screen)
    controller?.transition(to: ScriptedState("stuck", enters: .byHand))
    #expect(clock.scheduledCount == 1)
    controller = nil
    #expect(clock.scheduledCount == 0)
    clock.run()
  }
}
