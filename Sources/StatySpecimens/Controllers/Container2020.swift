package import Staty

/// The fourth of the seeds: a container with one slot for a request that arrives during a
/// transition.
///
/// Its faults: it keeps the new state where it means the old one. An animation that does not end
/// never completes, and neither does its transition. A request that is replaced in the slot
/// vanishes without a report.
package final class Container2020: Specimen {
  package static let name = "container-2020"

  package let probe: ControllerProbe
  /// The states that it reported as the ones before, transition by transition.
  package private(set) var transitionsFrom: [StateName] = []
  private var current: (any SpecimenState)?
  private var incoming: (any SpecimenState)?
  private var pending: (any SpecimenState)?
  private var before: StateName?
  private var isTransitioning = false

  package init(probe: ControllerProbe, timer: any TransitionTimer) {
    self.probe = probe
  }

  package func ask(
    for state: any SpecimenState, asked: StateName?, by origin: (any SpecimenState)?
  ) {
    setNeedsStateTransition(to: state, by: origin)
  }

  /// Requests a state.
  package func setNeedsStateTransition(
    to state: any SpecimenState, by origin: (any SpecimenState)? = nil
  ) {
    probe.requested(state, named: state.name, by: origin) {
      // A request that was waiting is lost.
      if isTransitioning { pending = state } else { begin(state) }
    }
  }

  package func didEnter(_ state: any SpecimenState) {
    probe.told(.entered, state) {
      guard isTransitioning, state === current else { return }
      isTransitioning = false
      if let before { transitionsFrom.append(before) }
      if let next = pending {
        pending = nil
        begin(next)
      }
    }
  }

  package func didExit(_ state: any SpecimenState) {
    probe.told(.exited, state) {
      guard state === current else { return }
      current = nil
      if isTransitioning { show() }
    }
  }

  private func begin(_ state: any SpecimenState) {
    isTransitioning = true
    incoming = state
    // The old state would be right here.
    before = state.name
    if let current { tell(.exit, current) } else { show() }
  }

  private func show() {
    guard let state = incoming else { return }
    incoming = nil
    current = state
    tell(.enter, state)
  }
}
