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
