/// The state objects that a controller uses, with the first visit of each.
///
/// An object that is requested twice has two visits with one instance number. After its last visit
/// has ended, an object stays known for some time, so that it keeps its number if it is used again.
struct StateObjects: ~Copyable {
  private struct Use: Slotted {
    let hold: AddressHold
    /// The object's address.
    let number: UInt
    /// The first visit.
    var instance: VisitNumber
    var openVisits: UInt32 = 0
    /// Where the claim is, while there are open visits.
    var claim: Int32
  }

  /// The slot of no object.
  static let none: Int32 = -1

  /// How many objects without open visits are kept at most, together with as many others.
  private static let mostKept = 256

  private var uses = SlotTable<Use>()
  private let claims = ObjectClaims.shared

  deinit {
    for slot in uses.slots where uses[slot].openVisits > 0 {
      claims.release(uses[slot].number, at: uses[slot].claim)
    }
  }

  /// A visit of an object begins.
  ///
  /// - Returns: the object's slot and its first visit; `nil` if another controller uses it.
  @inline(__always)
  mutating func begin(
    _ object: AnyObject, _ visit: VisitNumber
  ) -> (slot: Int32, instance: VisitNumber)? {
    let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    guard let slot = uses.slot(of: address), !uses[slot].hold.isOver else {
      return meet(object, address, visit)
    }
    if uses[slot].openVisits == 0 {
      let claim = claims.claim(address)
      if claim < 0 { return nil }
      uses[slot].claim = claim
    }
    uses[slot].openVisits += 1
    return (slot, uses[slot].instance)
  }

  /// A visit of the object in this slot has ended.
  @inline(__always)
  mutating func end(_ slot: Int32) {
    if slot == Self.none { return }
    uses[slot].openVisits -= 1
    if uses[slot].openVisits == 0 { claims.release(uses[slot].number, at: uses[slot].claim) }
  }

  /// The first visit of an object, or of another object at the address of a released one.
  @inline(never)
  private mutating func meet(
    _ object: AnyObject, _ address: UInt, _ visit: VisitNumber
  ) -> (slot: Int32, instance: VisitNumber)? {
    if let released = uses.slot(of: address) { forget(released) }
    let claim = claims.claim(address)
    if claim < 0 { return nil }
    if uses.count == uses.capacity, uses.count >= Self.mostKept { forgetEnded() }
    let slot = uses.insert(
      Use(
        hold: AddressHold(object), number: address, instance: visit, openVisits: 1, claim: claim))
    return (slot, visit)
  }

  private mutating func forgetEnded() {
    for slot in uses.slots where uses[slot].openVisits == 0 { forget(slot) }
  }

  private mutating func forget(_ slot: Int32) {
    uses.hide(slot)
    uses.vacate(slot)
  }
}
