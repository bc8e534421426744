/// A value that a ``SlotTable`` finds by a number.
protocol Slotted {
  /// The number, which no other value of the table has.
  var number: UInt { get }
}

/// Values in slots that do not move, found by their numbers.
///
/// Numbers are hashed. Consecutive numbers would otherwise form one long run, and a removal would
/// have to walk through it.
///
/// The table manages its own memory instead of using an array, because every request and completion
/// uses it. Its address is not shared, it is freed in `deinit`, and all slots and places come from
/// the table itself.
struct SlotTable<Value: Slotted>: ~Copyable {
  private var values: UnsafeMutablePointer<Value>
  private var freeSlots: UnsafeMutablePointer<Int32>
  /// Slots by the hash of their number, with twice as many places as slots; -1 in an empty place.
  private var index: UnsafeMutablePointer<Int32>
  /// How many slots there are, always a power of two.
  private(set) var capacity = 8
  /// The number of the last place of the index, all bits of which are set.
  private var mask = 15
  /// How many slots are taken.
  private(set) var count = 0

  init() {
    values = .allocate(capacity: capacity)
    freeSlots = .allocate(capacity: capacity)
    index = .allocate(capacity: capacity * 2)
    clear(from: 0)
  }

  deinit {
    for slot in slots { (values + Int(slot)).deinitialize(count: 1) }
    values.deallocate()
    freeSlots.deallocate()
    index.deallocate()
  }

  /// The value in a slot that is taken.
  subscript(slot: Int32) -> Value {
    @inline(__always) _read { yield values[Int(slot)] }
    @inline(__always) _modify { yield &values[Int(slot)] }
  }

  /// The slots of the values that can be found, in no particular order.
  var slots: [Int32] { (0..<(capacity * 2)).map { index[$0] }.filter { $0 >= 0 } }

  /// Adds a value with a new number.
  @inline(__always)
  mutating func insert(_ value: Value) -> Int32 {
    if count == capacity { grow() }
    let slot = freeSlots[count]
    (values + Int(slot)).initialize(to: value)
    index[place(of: value.number)] = slot
    count += 1
    return slot
  }

  @inline(__always)
  func slot(of number: UInt) -> Int32? {
    let slot = index[place(of: number)]
    return slot >= 0 ? slot : nil
  }

  /// Removes a value, which stays in its slot until ``vacate(_:)``.
  @inline(__always)
  mutating func hide(_ slot: Int32) {
    var hole = place(of: values[Int(slot)].number)
    var next = (hole + 1) & mask
    // Entries behind it that could no longer be found move up.
    while index[next] >= 0 {
      let home = home(of: values[Int(index[next])].number)
      if (next - home) & mask >= (next - hole) & mask {
        index[hole] = index[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    index[hole] = -1
  }

  /// Frees the slot of a hidden value.
  @inline(__always)
  mutating func vacate(_ slot: Int32) {
    (values + Int(slot)).deinitialize(count: 1)
    count -= 1
    freeSlots[count] = slot
  }

  /// The place of a number's slot, or the empty place where it would be inserted.
  @inline(__always)
  private func place(of number: UInt) -> Int {
    var place = home(of: number)
    while index[place] >= 0, values[Int(index[place])].number != number {
      place = (place + 1) & mask
    }
    return place
  }

  @inline(__always)
  private func home(of number: UInt) -> Int {
    Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }

  /// Doubles the slots, all of which are taken.
  @inline(never)
  private mutating func grow() {
    let old = (values: values, freeSlots: freeSlots, index: index, places: capacity * 2)
    capacity *= 2
    mask = capacity * 2 - 1
    values = .allocate(capacity: capacity)
    values.moveInitialize(from: old.values, count: count)
    freeSlots = .allocate(capacity: capacity)
    index = .allocate(capacity: capacity * 2)
    clear(from: count)
    // Hidden values stay hidden.
    for place in 0..<old.places where old.index[place] >= 0 {
      let slot = old.index[place]
      index[self.place(of: values[Int(slot)].number)] = slot
    }
    old.values.deallocate()
    old.freeSlots.deallocate()
    old.index.deallocate()
  }

  /// Frees all slots from this one on, and empties the index.
  private func clear(from first: Int) {
    for slot in first..<capacity { freeSlots[slot] = Int32(slot) }
    index.initialize(repeating: -1, count: capacity * 2)
  }
}
