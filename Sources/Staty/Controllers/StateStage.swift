/// Performs a driver's commands on states that come in on one target.
final class StateStage: StagePerformer {
  let holder: TargetHolder
  // Unchecked: used in the controller's isolation only, and no access lasts while other code runs.
  @exclusivity(unchecked) private var currentSlot: Int32 = -1
  @exclusivity(unchecked) private var last: (any ErasedState)?
  @exclusivity(unchecked) private var places: [Place] = []
  private let controller = InstanceRegistry.newController()

  private struct Place {
    var state: (any ErasedState)?
    /// What is registered as in use, if that is not the state itself.
    var other: AnyObject?
    var isClaimed = false
  }

  init(holder: TargetHolder) {
    self.holder = holder
  }

  deinit {
    for slot in places.indices { forget(Int32(slot)) }
  }

  /// Registers an object as in use by this controller.
  func claim(_ object: AnyObject, for visit: VisitNumber) -> InstanceRegistry.Claim {
    InstanceRegistry.shared.claim(object, for: controller, visit: visit)
  }

  /// Keeps a visit's state until the visit is over.
  ///
  /// - Parameter other: what was claimed, if that is not the state itself.
  func keep(_ state: any ErasedState, other: AnyObject?, isClaimed: Bool, in slot: Int32) {
    let slot = Int(slot)
    while places.count <= slot { places.append(Place()) }
    places[slot] = Place(state: state, other: other, isClaimed: isClaimed)
  }

  func hold() -> Bool { holder.hold() }
  func letGo() { holder.letGo() }

  func enter(_ visit: Visit) -> Bool {
    guard let state = places[Int(visit.slot)].state else { return false }
    let before = currentSlot
    currentSlot = visit.slot
    if state.enter(in: holder, visit: visit) { return true }
    currentSlot = before
    return false
  }

  func exit(_ visit: Visit) -> Bool {
    guard let state = places[Int(visit.slot)].state else { return false }
    return state.exit(in: holder, visit: visit)
  }

  /// The state of the visit in this slot.
  func state(in slot: Int32) -> (any ErasedState)? { places[Int(slot)].state }

  /// The state that came in last, also when it has left.
  var current: (any ErasedState)? {
    currentSlot < 0 ? last : places[Int(currentSlot)].state
  }

  func forget(_ slot: Int32) {
    let slot = Int(slot)
    guard let state = places[slot].state.take() else { return }
    if places[slot].isClaimed {
      InstanceRegistry.shared.release(places[slot].other.take() ?? state)
    }
    if slot == Int(currentSlot) {
      currentSlot = -1
      last = state
    }
  }
}
