package import Staty

/// A model of the third published controller: a table with the current one of some keyed states as its data source.
///
/// A state has entered or exited when the call returns. Its faults: an unknown key leaves the table
/// without a data source, silently. A transition that is requested inside `enter` nests in the
/// current one. A request by a state that has exited is not noticed.
package final class Keyed2015: Specimen {
  package static let name = "keyed-2015"

  /// The keys that its states are set for when it is played or replayed.
  package static let keys: [StateName] = ["empty", "loading", "populated"]

  package static var namesRead: Set<StateName> { Set(keys) }

  package let probe: ControllerProbe
  private var states: [StateName: any SpecimenState] = [:]
  private var current: (any SpecimenState)?

  package init(probe: ControllerProbe, timer: any TransitionTimer) {
    self.probe = probe
  }

  package func request(
    _ state: any SpecimenState, asked: StateName?, by origin: (any SpecimenState)?
  ) {
    if states[state.name] == nil, Self.keys.contains(state.name) {
      setState(state, forKey: state.name)
    }
    transition(to: state.name, by: origin)
  }

  /// The state for a key.
  func setState(_ state: any SpecimenState, forKey key: StateName) {
    states[key] = state
  }

  /// Makes the state with this key the table's data source.
  func transition(to key: StateName, by origin: (any SpecimenState)? = nil) {
    let next = states[key]
    probe.requested(next as AnyObject? ?? Nothing(), named: key, by: origin) {
      if let leaving = current {
        tell(.exit, leaving)
        probe.completed(.exited, leaving)
      }
      current = next
      // For an unknown key there is no data source, and no report.
      guard let next else { return }
      tell(.enter, next)
      probe.completed(.entered, next)
    }
  }

  // The transition is over when the call returns, so reports of states are ignored.
  package func didEnter(_ state: any SpecimenState) {}
  package func didExit(_ state: any SpecimenState) {}

  /// Stands for an unknown key.
  private final class Nothing {}
}
