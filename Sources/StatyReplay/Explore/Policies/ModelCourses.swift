import Staty

/// The progress of the visits of all requests of a scenario, in a few words of memory.
///
/// A finished visit leaves only what can still matter, so that states with the same future are
/// equal.
struct ModelCourses {
  var made = SlotSet()
  var over = SlotSet()
  /// Told to enter.
  var onStage = SlotSet()
  /// The controller accepted that it has entered.
  var arrived = SlotSet()
  /// Told to exit.
  var dismissed = SlotSet()
  var reportedEntered = SlotSet()
  var reportedExited = SlotSet()
  var owesEntered = SlotSet()
  var owesExited = SlotSet()
  /// The part of ``owesExited`` that may never be reported.
  var mayStay = SlotSet()
  var missedEntering = SlotSet()
  var missedExiting = SlotSet()
  var repeatedEntered = SlotSet()
  var repeatedExited = SlotSet()
  /// Reported what they were told to do, but the controller did not accept it.
  var unheard = SlotSet()
  /// Still waiting when a visit entered that was requested later.
  var overtaken = SlotSet()
  /// Cancelled while they waited.
  var cancelled = SlotSet()
  /// The moments that have happened and that something waits for.
  var reached = SlotSet()
  /// The waiting visits, in the order in which they have to enter.
  var line = Line()
  var isBound = false
  /// The slot of the state that was shown last, if routes are declared.
  var shown: Int8 = -1
  /// How many visits wait.
  var waitingCount: UInt8 = 0
  /// The order of the requests, where policies may look at it; else empty.
  ///
  /// It does not distinguish worlds: a policy holds the numbers of the visits that it may compare.
  var ranks: [UInt8] = []

  /// Everything as one number; equal courses have the same.
  func mix(_ seed: UInt64) -> UInt64 {
    var value = seed
    withUnsafeBytes(of: self) { bytes in
      let words = Self.words + (Int(waitingCount) + 7) / 8
      for word in 0..<words {
        let next = bytes.load(fromByteOffset: word * 8, as: UInt64.self)
        let product = (value ^ next).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15 ^ value << 1)
        value = product.high ^ product.low
      }
    }
    return value ^ UInt64(waitingCount) << 1 ^ UInt64(UInt8(bitPattern: shown)) << 9
      ^ (isBound ? 1 : 0)
  }

  // The sets are adjacent in memory, and the line follows them.
  private static let words = MemoryLayout<ModelCourses>.offset(of: \.line)! / 8

  /// Notes that this slot is requested next.
  mutating func rank(_ slot: Int, _ plan: ModelPlan) {
    if ranks.isEmpty { ranks = Array(repeating: 0, count: plan.count) }
    ranks[slot] = (ranks.max() ?? 0) + 1
  }

  /// Inserts a visit into the line behind all that come before it.
  mutating func lineUp(_ slot: Int, _ plan: ModelPlan) {
    var place = Int(waitingCount)
    if plan.discipline == .byUrgency {
      let priority = plan.requests[slot].priority
      while place > 0, plan.requests[Int(line[place - 1])].priority < priority {
        line[place] = line[place - 1]
        place -= 1
      }
    }
    line[place] = UInt8(slot)
    waitingCount += 1
  }

  /// Everything that waits is cancelled.
  mutating func cancelWaiting() {
    for place in 0..<Int(waitingCount) { cancelled.insert(Int(line[place])) }
  }

  /// Takes a visit out of the line.
  ///
  /// - Returns: those before it.
  @inline(__always)
  mutating func stepOut(_ slot: Int) -> SlotSet {
    var before = SlotSet()
    var place = 0
    while place < Int(waitingCount), line[place] != UInt8(slot) {
      before.insert(Int(line[place]))
      place += 1
    }
    guard place < Int(waitingCount) else { return SlotSet() }
    waitingCount -= 1
    while place < Int(waitingCount) {
      line[place] = line[place + 1]
      place += 1
    }
    line[place] = 0
    return before
  }
}

/// A slot for each place, eight in a word.
struct Line {
  private var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
    0, 0, 0, 0, 0, 0, 0, 0
  )

  @inline(__always)
  subscript(place: Int) -> UInt8 {
    get {
      precondition(place >= 0 && place < SlotSet.most)
      return withUnsafeBytes(of: words) { $0[place] }
    }
    set {
      precondition(place >= 0 && place < SlotSet.most)
      withUnsafeMutableBytes(of: &words) { $0[place] = newValue }
    }
  }
}
