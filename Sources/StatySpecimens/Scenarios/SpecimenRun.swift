package import Staty

/// A specimen on a clock that only a scenario moves, so that every run is the same.
///
/// Its events have the times of that clock, counted from the moment when the run was made: waiting
/// for seconds takes no time.
package final class SpecimenRun {
  /// The specimen.
  package let controller: any Specimen
  /// The clock.
  package let clock: ManualClock
  private let steps: (SpecimenRun) -> Void
  // Kept here: a controller does not keep states that it does not show.
  private var states: [PlayedState] = []

  /// The time at which runs begin, so that several of them can share one clock.
  struct Beginning {
    let clock = ManualClock()
    let time: UInt64

    var now: UInt64 { time + UInt64(clamping: clock.now.inNanoseconds) }
  }

  convenience init<S: Specimen>(
    _ specimen: S.Type, _ beginning: Beginning, _ steps: @escaping (SpecimenRun) -> Void
  ) {
    let probe = ControllerProbe(
      StateName(S.name), discipline: S.discipline, fidelity: .full
    ) { beginning.now }
    self.init(S(probe: probe, timer: beginning.clock), beginning.clock, steps)
  }

  private init(
    _ controller: any Specimen, _ clock: ManualClock, _ steps: @escaping (SpecimenRun) -> Void
  ) {
    self.controller = controller
    self.clock = clock
    self.steps = steps
  }

  /// Plays the scenario.
  package func play() { steps(self) }
}

// MARK: What scenarios consist of

extension SpecimenRun {
  /// A state with these times to enter and to exit.
  func state(
    _ name: StateName, enters: PlayedState.Pace = .after(.milliseconds(200)),
    exits: PlayedState.Pace = .after(.milliseconds(300))
  ) -> PlayedState {
    let state = PlayedState(name)
    state.onEnter = { [unowned self] in complete(.entered, $0, enters) }
    state.onExit = { [unowned self] in complete(.exited, $0, exits) }
    states.append(state)
    return state
  }

  /// Requests a state.
  func request(
    _ state: PlayedState, asked: StateName? = nil, by origin: PlayedState? = nil
  ) {
    controller.request(state, asked: asked, by: origin)
  }

  /// Moves the clock, and runs what is due.
  func wait(_ milliseconds: Int) {
    clock.advance(by: .milliseconds(milliseconds))
  }

  private func complete(_ completion: Completion, _ state: PlayedState, _ pace: PlayedState.Pace) {
    switch pace {
    case .atOnce: state.complete(completion)
    case .after(let delay):
      // The clock keeps it until it is due.
      _ = clock.schedule(after: delay) { state.complete(completion) }
    case .never: break
    }
  }
}
