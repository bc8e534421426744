/// The open visits of a controller, found by number, in three lists: the waiting ones in the order of their requests,
/// those on the stage in the order in which they entered it, and those with an unknown phase.
///
/// Its memory grows with the most visits that were open at once, and is reused.
struct OpenVisits: Sendable {
  /// The two ends of a list of slots; -1 where there is none.
  struct Ends {
    var first: Int32 = -1
    var last: Int32 = -1
    var count = 0
  }

  private var records: [OpenVisit] = []
  private var freeSlots: [Int32] = []
  /// Slots by the hash of their visit, at least twice as many places as visits.
  private var index: [Int32] = Array(repeating: -1, count: 16)
  private(set) var count = 0
  private(set) var waiting = Ends()
  private(set) var standing = Ends()
  private(set) var unsure = Ends()

  subscript(slot: Int32) -> OpenVisit {
    get { records[Int(slot)] }
    _modify { yield &records[Int(slot)] }
  }

  /// For how many visits there is room.
  var size: Int { records.count }

  /// The slot of a visit; -1 if it is not open.
  func slot(of visit: UInt32) -> Int32 { index[place(of: visit)] }

  /// Adds a visit at the end of its list.
  mutating func insert(_ record: OpenVisit) -> Int32 {
    if (count + 1) * 2 > index.count { grow() }
    let slot = freeSlots.popLast() ?? Int32(records.count)
    if Int(slot) == records.count { records.append(record) } else { records[Int(slot)] = record }
    index[place(of: record.visit)] = slot
    count += 1
    link(slot)
    return slot
  }

  /// Removes a visit.
  mutating func remove(_ slot: Int32) {
    unlink(slot)
    removeFromIndex(place(of: records[Int(slot)].visit))
    freeSlots.append(slot)
    count -= 1
  }

  /// Changes a visit, and moves it to the end of the list that it belongs to then.
  mutating func move(_ slot: Int32, _ change: (inout OpenVisit) -> Void) {
    unlink(slot)
    change(&records[Int(slot)])
    link(slot)
  }
}

// MARK: Lists

extension OpenVisits {
  private mutating func link(_ slot: Int32) {
    let (isUnsure, isOnStage) = (records[Int(slot)].isUnsure, records[Int(slot)].isOnStage)
    let last = isUnsure ? unsure.last : isOnStage ? standing.last : waiting.last
    records[Int(slot)].previous = last
    records[Int(slot)].next = -1
    if last >= 0 { records[Int(last)].next = slot }
    if isUnsure {
      unsure.added(slot)
    } else if isOnStage {
      standing.added(slot)
    } else {
      waiting.added(slot)
    }
  }

  private mutating func unlink(_ slot: Int32) {
    // Not the whole record, which is large.
    let (previous, next) = (records[Int(slot)].previous, records[Int(slot)].next)
    if previous >= 0 { records[Int(previous)].next = next }
    if next >= 0 { records[Int(next)].previous = previous }
    if records[Int(slot)].isUnsure {
      unsure.removed(slot, previous, next)
    } else if records[Int(slot)].isOnStage {
      standing.removed(slot, previous, next)
    } else {
      waiting.removed(slot, previous, next)
    }
  }

  /// Whether a slot is in use.
  func isUsed(_ slot: Int32) -> Bool {
    let visit = records[Int(slot)].visit
    return visit != 0 && self.slot(of: visit) == slot
  }

  /// The slots of a list, in its order.
  func slots(_ ends: Ends) -> [Int32] {
    var slots: [Int32] = []
    slots.reserveCapacity(ends.count)
    var slot = ends.first
    while slot >= 0 {
      slots.append(slot)
      slot = records[Int(slot)].next
    }
    return slots
  }

  /// The last visit on the stage besides this one; -1 if there is none.
  func last(besides slot: Int32) -> Int32 {
    standing.last == slot ? records[Int(slot)].previous : standing.last
  }

  /// The highest visit that lies over one on the stage and was not told to exit; -1 if there is none.
  func highest(over slot: Int32) -> Int32 {
    guard records[Int(slot)].isOnStage else { return -1 }
    var other = standing.last
    while other >= 0, other != slot, records[Int(other)].past.contains(.toldToExit) {
      other = records[Int(other)].previous
    }
    return other == slot ? -1 : other
  }

  /// Calls `body` with each visit with a known phase, those on the stage first.
  func forEach(_ body: (OpenVisit) -> Void) {
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

  fileprivate mutating func removed(_ slot: Int32, _ previous: Int32, _ next: Int32) {
    if first == slot { first = next }
    if last == slot { last = previous }
    count -= 1
  }
}

// MARK: Finding by number

extension OpenVisits {
  private func home(of visit: UInt32) -> Int {
    Int(truncatingIfNeeded: (visit &* 0x9E37_79B1) >> 8) & (index.count - 1)
  }

  /// The place of the visit's slot, or the empty place where it would be.
  private func place(of visit: UInt32) -> Int {
    var place = home(of: visit)
    while index[place] >= 0, records[Int(index[place])].visit != visit {
      place = (place + 1) & (index.count - 1)
    }
    return place
  }

  /// Empties a place, and moves up those behind that would no longer be found.
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
