import Staty
import StatyReplay

/// An app's own controller, as an app would have it: one state at a time, the others wait.
class Desk: Recordable {
  let probe: ControllerProbe
  var events: EventSource { probe.events }
  private(set) var current: DeskState?
  var waiting: [DeskState] = []
  private var isMoving = false

  required init(probe: ControllerProbe) {
    self.probe = probe
  }

  func transit(to state: DeskState) {
    probe.requested(state, named: state.name) {
      waiting.append(state)
      proceed()
    }
  }

  func didEnter(_ state: DeskState) {
    probe.completed(.entered, state) {
      isMoving = false
      proceed()
    }
  }

  func didExit(_ state: DeskState) {
    probe.completed(.exited, state) {
      guard state === current else { return }
      forget(state)
      proceed()
    }
  }

  func forget(_ state: DeskState) {
    guard state === current else { return }
    current = nil
    isMoving = false
  }

  func proceed() { goOn() }

  func isMovingOn() { isMoving = false }

  /// Does the next thing, if there is one.
  func goOn() {
    guard !isMoving, !waiting.isEmpty else { return }
    isMoving = true
    if let current {
      report(.exit, current)
    } else {
      let next = waiting.remove(at: nextPlace())
      current = next
      next.desk = self
      report(.enter, next)
    }
  }

  /// Tells a state something and reports it.
  func report(_ order: ControllerProbe.Order, _ state: DeskState) {
    probe.telling(order, state) {
      if order == .enter { state.enter() } else { state.exit() }
    }
  }

  /// The place of the waiting state that is next.
  func nextPlace() -> Int { 0 }
}

/// A state of the desk; what it does when it is told is up to a test.
class DeskState {
  let name: StateName
  weak var desk: Desk?
  var onEnter: (DeskState) -> Void = { $0.desk?.didEnter($0) }
  var onExit: (DeskState) -> Void = { $0.desk?.didExit($0) }

  init(_ name: StateName) { self.name = name }

  func enter() { onEnter(self) }
  func exit() { onExit(self) }
}

/// What an app writes for a replay: its state, played from the recording.
final class ScriptedDeskState: DeskState {
  init(_ script: ReplayState) {
    super.init(script.name)
    script.onCompletion = { [unowned self] completion in
      completion == .entered ? desk?.didEnter(self) : desk?.didExit(self)
    }
    onEnter = { _ in script.enter() }
    onExit = { _ in script.exit() }
  }
}

extension ControllerRegistry {
  /// The built-in policies, and a desk of this kind.
  static func with(_ desk: Desk.Type) -> ControllerRegistry {
    var registry = ControllerRegistry()
    registry.register("desk") { context in
      let desk = desk.init(probe: context.probe)
      return context.subject(makeState: ScriptedDeskState.init) { state, _ in
        state.desk = desk
        desk.transit(to: state)
      }
    }
    return registry
  }
}
