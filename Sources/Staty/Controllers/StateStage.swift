/// Performs a driver's commands on states that come in on one target.
final class StateStage: StagePerformer {
  // Unchecked: used in the controller's isolation only, and no access lasts while other code runs.
  @exclusivity(unchecked) var holder: TargetHolder?
  @exclusivity(unchecked) private(set) var current: (any ErasedState)?
  @exclusivity(unchecked) private var places: [Place] = []
  private let controller = InstanceRegistry.newController()

  private struct Place {
    var state: (any ErasedState)?
    /// What tells one state from another; not the state itself if that was made for the call.
    var object: AnyObject?
  }

  deinit {
    for place in places {
      if let object = place.object { InstanceRegistry.shared.release(object) }
    }
  }

  func claim(_ object: AnyObject, for visit: VisitNumber) -> InstanceRegistry.Claim {
    InstanceRegistry.shared.claim(object, for: controller, visit: visit)
  }

  func keep(_ state: any ErasedState, claimed object: AnyObject?, in slot: Int) {
    if places.count == slot {
      places.append(Place(state: state, object: object))
    } else {
      places[slot] = Place(state: state, object: object)
    }
  }

  var hasTarget: Bool { holder?.hasTarget ?? false }

  func enter(_ visit: Visit) -> Bool {
    guard let holder, let state = places[Int(visit.slot)].state else { return false }
    current = state
    return state.enter(in: holder, visit: visit)
  }

  func exit(_ visit: Visit) -> Bool {
    guard let holder, let state = places[Int(visit.slot)].state else { return false }
    return state.exit(in: holder, visit: visit)
  }

  func forget(_ visit: Visit) {
    let slot = Int(visit.slot)
    if let object = places[slot].object { InstanceRegistry.shared.release(object) }
    places[slot] = Place()
  }
}
