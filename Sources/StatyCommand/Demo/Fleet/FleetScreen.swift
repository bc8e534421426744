import Staty
import StatySpecimens

/// A controller on a device: one of ours or a specimen, with states that take their time on a clock.
final class FleetScreen {
  /// A state, and how it behaves.
  struct Scene {
    let name: StateName
    var enters = PlayedState.Pace.after(.milliseconds(200))
    var exits = PlayedState.Pace.after(.milliseconds(300))
    var priority: Int32 = 0
  }

  /// What is recorded.
  let recordable: any Recordable
  private let makeRequest: (Scene) -> Void

  /// One of ours.
  init(_ policy: some TransitionPolicy, _ clock: ManualClock) {
    let controller = StateController<Glass>(policy: policy)
    let glass = Glass()
    controller.bind { glass }
    recordable = controller
    makeRequest = { scene in
      controller.transition(to: TimedState(scene, clock), priority: scene.priority)
    }
  }

  /// A model of a published controller.
  init<S: Specimen>(_ specimen: S.Type, _ clock: ManualClock) {
    let controller = S(probe: ControllerProbe(StateName(S.name), fidelity: .full), timer: clock)
    recordable = controller
    var shown: [PlayedState] = []
    makeRequest = { scene in
      let state = PlayedState(scene.name)
      state.onEnter = { state in scene.enters.pass(on: clock) { state.say(.entered) } }
      state.onExit = { state in scene.exits.pass(on: clock) { state.say(.exited) } }
      // A controller does not keep what it does not show.
      shown.append(state)
      controller.ask(for: state, asked: nil, by: nil)
    }
  }

  /// Somebody asks for a state.
  func ask(_ scene: Scene) { makeRequest(scene) }
}

/// What states are shown on.
private final class Glass {}

/// A state of one of our controllers.
private final class TimedState: ScreenState {
  typealias Target = Glass
  private let scene: FleetScreen.Scene
  private let clock: ManualClock
  var name: StateName { scene.name }

  init(_ scene: FleetScreen.Scene, _ clock: ManualClock) {
    (self.scene, self.clock) = (scene, clock)
  }

  func enter(on target: Glass, visit: Visit) {
    scene.enters.pass(on: clock) { visit.entered() }
  }

  func exit(from target: Glass, visit: Visit) {
    scene.exits.pass(on: clock) { visit.exited() }
  }
}

extension PlayedState.Pace {
  /// Does something when the pace says.
  fileprivate func pass(on clock: ManualClock, _ done: @escaping () -> Void) {
    switch self {
    case .atOnce: done()
    case .after(let delay): _ = clock.schedule(after: delay, done)
    case .never: break
    }
  }
}
