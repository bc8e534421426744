package import Staty

/// The third of the seeds: a table whose data source is the current of some keyed states.
///
/// Coming in and leaving are over when the calls return. Its faults: an unknown key leaves the
/// table with nothing, silently; a transition asked for inside `enter` nests in the one under way;
/// nobody notices that the state that asks has left.
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

  package func ask(
    for state: any SpecimenState, asked: StateName?, by origin: (any SpecimenState)?
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

  /// The state with this key becomes the table's data source.
  func transition(to key: StateName, by origin: (any SpecimenState)? = nil) {
    let next = states[key]
    probe.requested(next as AnyObject? ?? Nothing(), named: key, by: origin) {
      if let leaving = current {
        tell(.exit, leaving)
        probe.told(.exited, leaving)
      }
      current = next
      // An unknown key: no data source, and no word about it.
      guard let next else { return }
      tell(.enter, next)
      probe.told(.entered, next)
    }
  }

  // Over when the calls return: what a state says is not listened to.
  package func didEnter(_ state: any SpecimenState) {}
  package func didExit(_ state: any SpecimenState) {}

  /// What stands behind an unknown key.
  private final class Nothing {}
}
