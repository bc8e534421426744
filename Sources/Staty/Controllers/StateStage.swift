/// Performs a driver's commands on states that enter on one target.
final class StateStage: StagePerformer {
  let holder: TargetHolder
  // Unchecked: used only in the controller's isolation, and no access lasts while other code runs.
  @exclusivity(unchecked) private var currentSlot: Int32 = -1
  @exclusivity(unchecked) private var last = Place()
  /// The stage manages its own memory instead of using an array, because every request and
  /// completion uses it.
  ///
  /// The slots come from the driver, which calls `keep` for a slot before it uses it.
  @exclusivity(unchecked) private var places: UnsafeMutablePointer<Place>
  @exclusivity(unchecked) private var capacity = 8

  /// A state, in two plain parts.
  ///
  /// A state that is told something would be retained meanwhile, which costs more than the call. The
  /// driver forgets no state during such a call.
  private struct Place {
    /// The state, which is retained.
    var object: Unmanaged<AnyObject>?
    /// Its type, which knows how to tell it something.
    var type: (any ErasedState.Type)?

    init() {}

    init(retaining state: any ErasedState) {
      object = .passRetained(state)
      type = Swift.type(of: state)
    }

    var state: (any ErasedState)? {
      object.flatMap { type?.state($0) }
    }
  }

  init(holder: TargetHolder) {
    self.holder = holder
    places = .allocate(capacity: capacity)
    places.initialize(repeating: Place(), count: capacity)
  }

  deinit {
    for slot in 0..<capacity { places[slot].object?.release() }
    last.object?.release()
    places.deallocate()
  }

  /// Keeps a visit's state until the visit ends.
  @inline(__always)
  func keep(_ state: any ErasedState, in slot: Int32) {
    if slot >= capacity { grow(for: slot) }
    places[Int(slot)] = Place(retaining: state)
  }

  @inline(never)
  private func grow(for slot: Int32) {
    let old = (places: places, capacity: capacity)
    while capacity <= slot { capacity *= 2 }
    places = .allocate(capacity: capacity)
    places.update(from: old.places, count: old.capacity)
    (places + old.capacity).initialize(repeating: Place(), count: capacity - old.capacity)
    old.places.deallocate()
  }

  func hold() -> Bool { holder.hold() }
  func letGo() { holder.letGo() }

  func enter(_ visit: Visit) -> Bool {
    let place = places[Int(visit.slot)]
    guard let object = place.object, let type = place.type else { return false }
    let before = currentSlot
    currentSlot = visit.slot
    if type.enter(object, in: holder, visit: visit) { return true }
    currentSlot = before
    return false
  }

  func exit(_ visit: Visit) -> Bool {
    let place = places[Int(visit.slot)]
    guard let object = place.object, let type = place.type else { return false }
    return type.exit(object, in: holder, visit: visit)
  }

  func awaitsUser(_ slot: Int32) -> Bool { state(in: slot)?.awaitsUser ?? false }

  /// The state of the visit in this slot.
  func state(in slot: Int32) -> (any ErasedState)? { places[Int(slot)].state }

  /// The state that entered last, even if it has exited.
  var current: (any ErasedState)? {
    currentSlot < 0 ? last.state : state(in: currentSlot)
  }

  func forget(_ slot: Int32) {
    var place = places[Int(slot)]
    places[Int(slot)] = Place()
    if slot == currentSlot {
      currentSlot = -1
      swap(&place, &last)
    }
    // Last, because this may release the state, and run code of the app.
    place.object?.release()
  }
}
