/// The open visits of a controller, found by number, in two lists: those that wait in the order in
/// which they were asked for, and those on the stage in the order in which they came.
///
/// Its memory grows with the most visits that were open at once, and is used again.
struct OpenVisits {
  /// The two ends of a list of slots; -1 where there is none.
  struct Ends {
    var first: Int32 = -1
    var last: Int32 = -1
    var count = 0
  }

  private var records: [VisitRecord] = []
  private var freeSlots: [Int32] = []
  /// Slots by the hash of their visit, at least twice as many places as visits.
  private var index: [Int32] = Array(repeating: -1, count: 16)
  private(set) var count = 0
  private(set) var waiting = Ends()
  private(set) var standing = Ends()

  subscript(slot: Int32) -> VisitRecord {
    get { records[Int(slot)] }
    _modify { yield &records[Int(slot)] }
  }

  /// The slot of a visit; -1 if it is not open.
  func slot(of visit: UInt32) -> Int32 { index[place(of: visit)] }

  /// Adds a visit behind those that wait, or on the stage.
  mutating func insert(_ record: VisitRecord) -> Int32 {
    if (count + 1) * 2 > index.count { grow() }
    let slot = freeSlots.popLast() ?? Int32(records.count)
    if Int(slot) == records.count { records.append(record) } else { records[Int(slot)] = record }
    index[place(of: record.visit)] = slot
    count += 1
    link(slot)
    return slot
  }

  /// Takes a visit out.
  mutating func remove(_ slot: Int32) {
    unlink(slot)
    removeFromIndex(place(of: records[Int(slot)].visit))
    freeSlots.append(slot)
    count -= 1
  }

  /// Moves a visit that waits onto the stage.
  mutating func bringIn(_ slot: Int32, _ phase: VisitRecord.Phase) {
    unlink(slot)
    records[Int(slot)].phase = phase
    link(slot)
  }

  mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    freeSlots.removeAll(keepingCapacity: true)
    for place in index.indices { index[place] = -1 }
    count = 0
    waiting = Ends()
    standing = Ends()
  }
}

// MARK: Lists

extension OpenVisits {
  private mutating func link(_ slot: Int32) {
    let isOnStage = records[Int(slot)].isOnStage
    let last = isOnStage ? standing.last : waiting.last
    records[Int(slot)].previous = last
    records[Int(slot)].next = -1
    if last >= 0 { records[Int(last)].next = slot }
    if isOnStage { standing.added(slot) } else { waiting.added(slot) }
  }

  private mutating func unlink(_ slot: Int32) {
    let record = records[Int(slot)]
    if record.previous >= 0 { records[Int(record.previous)].next = record.next }
    if record.next >= 0 { records[Int(record.next)].previous = record.previous }
    if record.isOnStage {
      standing.removed(slot, record)
    } else {
      waiting.removed(slot, record)
    }
  }

  /// Calls `body` with each open visit, those on the stage first.
  func forEach(_ body: (VisitRecord) -> Void) {
    for ends in [standing, waiting] {
      var slot = ends.first
      while slot >= 0 {
        body(records[Int(slot)])
        slot = records[Int(slot)].next
      }
    }
  }
}

extension OpenVisits.Ends {
  fileprivate mutating func added(_ slot: Int32) {
    if first < 0 { first = slot }
    last = slot
    count += 1
  }

  fileprivate mutating func removed(_ slot: Int32, _ record: VisitRecord) {
    if first == slot { first = record.next }
    if last == slot { last = record.previous }
    count -= 1
  }
}

// MARK: Finding by number

extension OpenVisits {
  private func home(of visit: UInt32) -> Int {
    Int(truncatingIfNeeded: (visit &* 0x9E37_79B1) >> 8) & (index.count - 1)
  }

  /// The place where the visit's slot stands, or the empty one where it would.
  private func place(of visit: UInt32) -> Int {
    var place = home(of: visit)
    while index[place] >= 0, records[Int(index[place])].visit != visit {
      place = (place + 1) & (index.count - 1)
    }
    return place
  }

  /// Empties a place and moves up those behind that would no longer be found.
  private mutating func removeFromIndex(_ place: Int) {
    let mask = index.count - 1
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

  private mutating func grow() {
    let slots = index.filter { $0 >= 0 }
    index = Array(repeating: -1, count: index.count * 2)
    for slot in slots { index[place(of: records[Int(slot)].visit)] = slot }
  }
}
