/// How many events were lost for which reason, as the ring has counted them.
///
/// The counters do not say which numbers they mean. Where several reasons come into question for a
/// gap, it names all of them.
struct LossCounts: Equatable {
  /// The thread's lane was full.
  var overload: UInt64 = 0
  /// The thread had no lane of its own, and the shared one was full or taken.
  var noLane: UInt64 = 0
  /// What the event needed, such as a new name, found no room in the byte log.
  var unnoted: UInt64 = 0
  /// It came out of the ring damaged.
  var torn: UInt64 = 0
  /// It came while or after the recorder was closed, or let go of the controller.
  var closed: UInt64 = 0

  init() {}

  init(_ counters: RingCounters) {
    overload = counters.droppedFull
    noLane = counters.droppedWithoutLane
    unnoted = counters.unnoted
    torn = counters.torn
  }

  var total: UInt64 { overload &+ noLane &+ unnoted &+ torn &+ closed }

  /// What came since then.
  func since(_ before: LossCounts) -> LossCounts {
    var counts = LossCounts()
    for (_, count) in Self.reasons {
      let (now, then) = (self[keyPath: count], before[keyPath: count])
      counts[keyPath: count] = now > then ? now - then : 0
    }
    return counts
  }

  /// Takes off what has been recorded with this reason and no other.
  mutating func settle(_ recorded: Int64, reason: String) {
    guard let count = Self.reasons.first(where: { $0.text == reason })?.count else { return }
    let settled = UInt64(clamping: recorded)
    self[keyPath: count] -= min(self[keyPath: count], settled)
  }

  /// Why so many numbers have no event.
  ///
  /// Numbers that were not counted were drawn and never put: the process ended in between.
  func reason(_ count: Int64) -> String {
    var reasons = Self.reasons.filter { self[keyPath: $0.count] > 0 }.map(\.text)
    if UInt64(clamping: count) > total { reasons.append("unfinished") }
    return reasons.joined(separator: " or ")
  }

  private static var reasons: [(text: String, count: WritableKeyPath<LossCounts, UInt64>)] {
    [
      ("overload", \.overload), ("no lane", \.noLane), ("unnoted", \.unnoted), ("torn", \.torn),
      ("closed", \.closed),
    ]
  }
}
