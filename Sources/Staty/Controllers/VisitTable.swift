/// The open visits of a controller, found by number.
///
/// Each has a slot that does not move.
///
/// Visit numbers are consecutive. Used directly as hashes, they would form one long run, and a
/// removal would have to walk through it. So they are hashed.
///
/// The table manages its own memory instead of using an array, because every request and completion
/// uses it. Its address is not shared, it is freed in `deinit`, and all slots and places come from
/// the table itself.
struct VisitTable: ~Copyable {
  /// What the driver knows about an open visit.
  struct Record {
    var visit = VisitNumber(0)
    var instance = VisitNumber(0)
    var state: StateName = "?"
  }

  private var records: UnsafeMutablePointer<Record>
  private var freeSlots: UnsafeMutablePointer<Int32>
  /// Slots by the hash of their visit, with twice as many places as slots; -1 in an empty place.
  private var index: UnsafeMutablePointer<Int32>
  private var capacity = 8
  private(set) var count = 0

  init() {
    records = .allocate(capacity: capacity)
    freeSlots = .allocate(capacity: capacity)
    index = .allocate(capacity: capacity * 2)
    clear(from: 0)
  }

  deinit {
    records.deallocate()
    freeSlots.deallocate()
    index.deallocate()
  }

  subscript(slot: Int32) -> Record { records[Int(slot)] }

  /// The open visits, in no particular order.
  var visits: [Record] {
    (0..<(capacity * 2)).filter { index[$0] >= 0 }.map { records[Int(index[$0])] }
  }

  mutating func insert(_ record: Record) -> Int32 {
    if count == capacity { grow() }
    let slot = freeSlots[count]
    records[Int(slot)] = record
    index[place(of: record.visit)] = slot
    count += 1
    return slot
  }

  func slot(of visit: VisitNumber) -> Int32? {
    let slot = index[place(of: visit)]
    return slot >= 0 ? slot : nil
  }

  mutating func remove(_ slot: Int32) {
    removeFromIndex(place(of: records[Int(slot)].visit))
    count -= 1
    freeSlots[count] = slot
  }

  /// The place of a visit's slot, or the empty place where it would be inserted.
  private func place(of visit: VisitNumber) -> Int {
    var place = home(of: visit)
    while index[place] >= 0, records[Int(index[place])].visit != visit {
      place = (place + 1) & mask
    }
    return place
  }

  private var mask: Int { capacity * 2 - 1 }

  private func home(of visit: VisitNumber) -> Int {
    Int(truncatingIfNeeded: (visit.rawValue &* 0x9E37_79B1) >> 8) & mask
  }

  /// Empties a place, and moves the entries behind it that could no longer be found.
  private mutating func removeFromIndex(_ place: Int) {
    var hole = place
    var next = (hole + 1) & mask
    while index[next] >= 0 {
      let home = home(of: records[Int(index[next])].visit)
      if (next - home) & mask >= (next - hole) & mask {
        index[hole] = index[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    index[hole] = -1
  }

  /// Doubles the capacity.
  private mutating func grow() {
    let old = (records, freeSlots, index)
    capacity *= 2
    records = .allocate(capacity: capacity)
    records.update(from: old.0, count: count)
    freeSlots = .allocate(capacity: capacity)
    index = .allocate(capacity: capacity * 2)
    clear(from: count)
    for slot in 0..<count { index[place(of: records[slot].visit)] = Int32(slot) }
    old.0.deallocate()
    old.1.deallocate()
    old.2.deallocate()
  }

  /// Frees all slots from this one on, and empties the index.
  private func clear(from first: Int) {
    for slot in first..<capacity {
      (records + slot).initialize(to: Record())
      freeSlots[slot] = Int32(slot)
    }
    index.initialize(repeating: -1, count: capacity * 2)
  }
}
