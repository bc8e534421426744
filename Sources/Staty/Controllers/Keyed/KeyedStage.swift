/// Performs a driver's commands on keyed states, each transition in one update block of the host.
///
/// The first exit or enter of a transition opens the block. The block is closed when the new state
/// has entered, before that is reported. So nothing that follows can open another block inside.
final class KeyedStage<Key: StateKey, Data>: StagePerformer {
  /// A requested state.
  struct Place {
    let key: Key
    let state: any KeyedState<Key, Data>
    /// The data for the state's `enter`; released when it enters.
    var data: Data?
  }

  weak var host: (any KeyedHost)?
  weak var controller: KeyedController<Key, Data>?
  weak var driver: TransitionDriver?
  private(set) var currentKey: Key?

  /// The host while its update block is open; held until the block is closed.
  private var blockHost: (any KeyedHost)?
  private var places: [Place?] = []

  func keep(_ place: Place, in slot: Int32) {
    let slot = Int(slot)
    while places.count <= slot { places.append(nil) }
    places[slot] = place
  }

  func hold() -> Bool { blockHost != nil || host != nil }
  func letGo() {}

  func enter(_ visit: Visit) -> Bool {
    let slot = Int(visit.slot)
    guard let place = places[slot], let host = openBlock() else { return false }
    places[slot]?.data = nil
    currentKey = place.key
    host.adopt(place.state)
    place.state.enter(with: place.data, visit: KeyedVisit(visit.number, of: controller))
    closeBlock()
    visit.entered()
    return true
  }

  func exit(_ visit: Visit) -> Bool {
    guard let place = places[Int(visit.slot)], let host = openBlock() else { return false }
    place.state.exit()
    currentKey = nil
    visit.exited()
    // By now the policy has decided what follows; that enters before anything else is done.
    if driver?.policy.phase != .entering {
      host.adopt(nil)
      closeBlock()
    }
    return true
  }

  func forget(_ slot: Int32) {
    if slot < places.count { places[Int(slot)] = nil }
  }

  private func openBlock() -> (any KeyedHost)? {
    if let blockHost { return blockHost }
    guard let host else { return nil }
    blockHost = host
    host.beginUpdates()
    return host
  }

  private func closeBlock() {
    blockHost.take()?.endUpdates()
  }
}
