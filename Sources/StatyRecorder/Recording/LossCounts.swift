import StatyHistory

/// The numbers of lost events, by reason.
///
/// A counter does not tell which events were lost. If several reasons are possible for a gap, its reason
/// names all of them.
struct LossCounts: Equatable {
  var overload: UInt64 = 0
  var noLane: UInt64 = 0
  var unnoted: UInt64 = 0
  var torn: UInt64 = 0
  var closed: UInt64 = 0

  init() {}

  init(_ counters: RingCounters) {
    overload = counters.droppedFull
    noLane = counters.droppedWithoutLane
    unnoted = counters.unnoted
    torn = counters.torn
  }

  var total: UInt64 { overload &+ noLane &+ unnoted &+ torn &+ closed }

  /// The losses since `before`.
  func since(_ before: LossCounts) -> LossCounts {
    var counts = LossCounts()
    for (_, count) in Self.reasons {
      let (now, then) = (self[keyPath: count], before[keyPath: count])
      counts[keyPath: count] = now > then ? now - then : 0
    }
    return counts
  }

  /// Subtracts losses that are already stored with exactly this reason.
  mutating func subtract(_ recorded: Int64, reason: String) {
    guard let count = Self.reasons.first(where: { $0.reason.rawValue == reason })?.count else {
      return
    }
    let recorded = UInt64(clamping: recorded)
    self[keyPath: count] -= min(self[keyPath: count], recorded)
  }

  /// The reason to store for a gap of `count` numbers.
  func reason(_ count: Int64) -> String {
    var reasons = Self.reasons.filter { self[keyPath: $0.count] > 0 }.map(\.reason)
    if UInt64(clamping: count) > total { reasons.append(.unfinished) }
    return reasons.map(\.rawValue).joined(separator: " or ")
  }

  private static var reasons: [(reason: LossReason, count: WritableKeyPath<LossCounts, UInt64>)] {
    [
      (.overload, \.overload), (.noLane, \.noLane), (.unnoted, \.unnoted), (.torn, \.torn),
      (.closed, \.closed),
    ]
  }
}
