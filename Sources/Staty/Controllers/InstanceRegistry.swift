import Synchronization

/// Which state objects are in use, by which controller, and since which visit.
///
/// An object that is requested twice has two visits with one instance number. An object can be used
/// by only one controller at a time. Objects are identified by address. While an object is in the
/// registry, its address is not reused; where that cannot be prevented, a released object is
/// detected when another object has its address. After its last visit has ended, an object stays in
/// the registry for some time, so that it keeps its number if it is used again.
final class InstanceRegistry: Sendable {
  static let shared = InstanceRegistry()

  private let table = Mutex(InstanceTable())
  private let controllers = Atomic<UInt64>(0)

  /// Returns a unique number for a controller.
  static func newController() -> UInt64 {
    shared.controllers.wrappingAdd(1, ordering: .relaxed).newValue
  }

  enum Claim {
    case granted(instance: VisitNumber)
    case inUseElsewhere
  }

  func claim(_ object: AnyObject, for controller: UInt64, visit: VisitNumber) -> Claim {
    let key = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    // Sendable: the table holds only the address and never follows it.
    nonisolated(unsafe) let object = object
    return table.withLock { $0.claim(object, key, for: controller, visit: visit) }
  }

  func release(_ object: ObjectIdentifier) {
    table.withLock { $0.release(UInt(bitPattern: object)) }
  }
}

/// An open-addressing hash table from address to use, with a bounded tail of ended uses.
///
/// The table manages its own memory instead of using an array, because every request and every end
/// of a visit uses it with the registry locked. There is one table, which is never freed. All
/// places come from the table itself.
// Sendable: guarded by the registry's mutex; the addresses are never dereferenced.
private struct InstanceTable: @unchecked Sendable {
  private struct Use {
    var hold: AddressHold?
    var key: UInt = 0
    var controller: UInt64 = 0
    var instance = VisitNumber(0)
    var openVisits: UInt32 = 0
    var ending: UInt32 = 0
  }

  private struct Ended {
    var key: UInt = 0
    var ending: UInt32 = 0
  }

  private static let endedCapacity = 1024
  private var uses: UnsafeMutablePointer<Use>
  private var capacity = 4_096
  private var count = 0
  private let ended: UnsafeMutablePointer<Ended>
  private var endings: UInt32 = 0

  init() {
    uses = .allocate(capacity: capacity)
    uses.initialize(repeating: Use(), count: capacity)
    ended = .allocate(capacity: Self.endedCapacity)
    ended.initialize(repeating: Ended(), count: Self.endedCapacity)
  }

  mutating func claim(
    _ object: AnyObject, _ key: UInt, for controller: UInt64, visit: VisitNumber
  ) -> InstanceRegistry.Claim {
    var place = place(of: key)
    if uses[place].key == 0 {
      if count * 2 >= capacity {
        grow()
        place = self.place(of: key)
      }
      count += 1
      uses[place].hold = AddressHold(object)
      uses[place].key = key
      uses[place].controller = controller
      uses[place].instance = visit
    } else if uses[place].controller != controller {
      if uses[place].openVisits > 0 { return .inUseElsewhere }
      uses[place].controller = controller
      uses[place].instance = visit
    } else if uses[place].hold?.isOver == true, uses[place].openVisits == 0 {
      uses[place].instance = visit
    }
    if uses[place].hold?.isOver == true { uses[place].hold = AddressHold(object) }
    uses[place].openVisits += 1
    return .granted(instance: uses[place].instance)
  }

  mutating func release(_ key: UInt) {
    let place = place(of: key)
    guard uses[place].key == key, uses[place].openVisits > 0 else { return }
    uses[place].openVisits -= 1
    guard uses[place].openVisits == 0 else { return }
    endings &+= 1
    uses[place].ending = endings
    let slot = Int(endings) & (Self.endedCapacity - 1)
    let oldest = ended[slot]
    ended[slot] = Ended(key: key, ending: endings)
    if oldest.key != 0 { evict(oldest) }
  }

  private mutating func evict(_ old: Ended) {
    let place = place(of: old.key)
    let use = uses[place]
    guard use.key == old.key, use.openVisits == 0, use.ending == old.ending else { return }
    remove(at: place)
  }

  /// The place of a key, or the empty place where it would be inserted.
  private func place(of key: UInt) -> Int {
    var place = home(of: key)
    while uses[place].key != 0, uses[place].key != key {
      place = (place + 1) & (capacity - 1)
    }
    return place
  }

  private func home(of key: UInt) -> Int {
    let mixed = key &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: (mixed ^ (mixed >> 32)) & UInt(capacity - 1))
  }

  /// Empties a place, and moves the entries behind it that could no longer be found.
  private mutating func remove(at place: Int) {
    let mask = capacity - 1
    var hole = place
    var next = (hole + 1) & mask
    while uses[next].key != 0 {
      let distance = (next - home(of: uses[next].key)) & mask
      if distance >= (next - hole) & mask {
        uses[hole] = uses[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    uses[hole] = Use()
    count -= 1
  }

  private mutating func grow() {
    let old = (uses: uses, capacity: capacity)
    capacity *= 2
    uses = .allocate(capacity: capacity)
    uses.initialize(repeating: Use(), count: capacity)
    for from in 0..<old.capacity where old.uses[from].key != 0 {
      let to = place(of: old.uses[from].key)
      uses[to] = old.uses[from]
    }
    old.uses.deinitialize(count: old.capacity)
    old.uses.deallocate()
  }
}
