import Staty

/// How far the visits of all requests of a scenario have got, in a few words.
///
/// What is over leaves nothing behind but what can still matter, so that states are equal from which
/// the same can happen.
struct ModelCourses {
  var made = SlotSet()
  var over = SlotSet()
  /// Told to come in.
  var onStage = SlotSet()
  /// The controller believed that it is in.
  var arrived = SlotSet()
  /// Told to leave.
  var dismissed = SlotSet()
  var saidEntered = SlotSet()
  var saidExited = SlotSet()
  var owesEntered = SlotSet()
  var owesExited = SlotSet()
  /// What may be left unsaid of ``owesExited``.
  var mayStay = SlotSet()
  var missedEntering = SlotSet()
  var missedLeaving = SlotSet()
  var repeatedEntered = SlotSet()
  var repeatedExited = SlotSet()
  /// Said something that it was told to, and was not believed.
  var unheard = SlotSet()
  /// Let wait while one came in that was asked for later.
  var overtaken = SlotSet()
  /// Cancelled while they waited.
  var cancelled = SlotSet()
  /// The moments that have happened and that others come after.
  var reached = SlotSet()
  /// Who waits, in the order in which they have to come in.
  var line = Line()
  var isBound = false
  /// The slot whose state was shown last, if routes are declared.
  var shown: Int8 = -1
  /// How many wait.
  var waitingCount: UInt8 = 0
  /// When each was asked for, where policies may look at that; else empty.
  ///
  /// No part of what tells worlds apart: a policy has the numbers of those that it may ask about.
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

  // The sets lie one behind the other, and behind them the line.
  private static let words = MemoryLayout<ModelCourses>.offset(of: \.line)! / 8

  /// Notes that this is the next to be asked for.
  mutating func rank(_ slot: Int, _ plan: ModelPlan) {
    if ranks.isEmpty { ranks = Array(repeating: 0, count: plan.count) }
    ranks[slot] = (ranks.max() ?? 0) + 1
  }

  /// Puts a visit into the line behind all that come before it.
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
