/// A set of slots, numbered below 64, in one word.
struct SlotSet: Hashable {
  var bits: UInt64 = 0

  /// How many there can be.
  static let most = 64

  init() {}
  init(bits: UInt64) { self.bits = bits }
  init(_ slots: some Sequence<Int>) { for slot in slots { bits |= 1 << UInt64(slot) } }

  @inline(__always) var isEmpty: Bool { bits == 0 }
  @inline(__always) var hasSeveral: Bool { bits & (bits &- 1) != 0 }
  @inline(__always) func contains(_ slot: Int) -> Bool { bits & 1 << UInt64(slot) != 0 }
  @inline(__always) mutating func insert(_ slot: Int) { bits |= 1 << UInt64(slot) }
  @inline(__always) mutating func remove(_ slot: Int) { bits &= ~(1 << UInt64(slot)) }

  /// Takes out the lowest.
  @inline(__always) mutating func popFirst() -> Int? {
    if bits == 0 { return nil }
    defer { bits &= bits &- 1 }
    return bits.trailingZeroBitCount
  }

  @inline(__always) static func & (one: SlotSet, other: SlotSet) -> SlotSet {
    SlotSet(bits: one.bits & other.bits)
  }

  @inline(__always) static func | (one: SlotSet, other: SlotSet) -> SlotSet {
    SlotSet(bits: one.bits | other.bits)
  }

  @inline(__always) static func - (one: SlotSet, other: SlotSet) -> SlotSet {
    SlotSet(bits: one.bits & ~other.bits)
  }
}
