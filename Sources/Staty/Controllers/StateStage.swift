/// Performs a driver's commands on states that enter on one target.
final class StateStage: StagePerformer {
  let holder: TargetHolder
  // Unchecked: used only in the controller's isolation, and no access lasts while other code runs.
  @exclusivity(unchecked) private var currentSlot: Int32 = -1
  @exclusivity(unchecked) private var last: (any ErasedState)?
  /// The stage manages its own memory instead of using an array, because every request and
  /// completion uses it.
  ///
  /// The slots come from the driver, which calls `keep` for a slot before it uses it.
  @exclusivity(unchecked) private var places: UnsafeMutablePointer<Place>
  @exclusivity(unchecked) private var capacity = 8
  private let controller = InstanceRegistry.newController()

  private struct Place {
    var state: (any ErasedState)?
    /// The object that is registered as in use, if that is not the state itself.
    var other: AnyObject?
    var isClaimed = false
  }

  init(holder: TargetHolder) {
    self.holder = holder
    places = .allocate(capacity: capacity)
    places.initialize(repeating: Place(), count: capacity)
  }

  deinit {
    for slot in 0..<capacity { forget(Int32(slot)) }
    places.deinitialize(count: capacity)
    places.deallocate()
  }

  /// Registers an object as in use by this controller.
  func claim(_ object: AnyObject, for visit: VisitNumber) -> InstanceRegistry.Claim {
    InstanceRegistry.shared.claim(object, for: controller, visit: visit)
  }

  /// Keeps a visit's state until the visit ends.
  ///
  /// - Parameter other: the object that was claimed, if that is not the state itself.
  func keep(_ state: any ErasedState, other: AnyObject?, isClaimed: Bool, in slot: Int32) {
    while capacity <= slot { grow() }
    places[Int(slot)] = Place(state: state, other: other, isClaimed: isClaimed)
  }

  private func grow() {
    let old = places
    places = .allocate(capacity: capacity * 2)
    places.moveInitialize(from: old, count: capacity)
    (places + capacity).initialize(repeating: Place(), count: capacity)
    old.deallocate()
    capacity *= 2
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

  /// The state that entered last, even if it has exited.
  var current: (any ErasedState)? {
    currentSlot < 0 ? last : places[Int(currentSlot)].state
  }

  func forget(_ slot: Int32) {
    let slot = Int(slot)
    guard let state = places[slot].state.take() else { return }
    if places[slot].isClaimed {
      let claimed = places[slot].other.map { ObjectIdentifier($0) } ?? ObjectIdentifier(state)
      InstanceRegistry.shared.release(claimed)
      places[slot].other = nil
    }
    if slot == Int(currentSlot) {
      currentSlot = -1
      last = state
    }
  }
}
