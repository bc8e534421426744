import StatyHistory
import StatyRules

/// Holds what was stored against the ordering rules, a slice at a time, when the writer has nothing
/// else to do.
///
/// What is found follows from what is stored alone, not from when it was looked at.
struct Checking {
  private let clock: RecorderClock
  private var keeper = FindingKeeper()
  /// Whether something may have been stored that was not looked at.
  private var isBehind = true
  /// Whether a round has begun and is not through.
  private var isUnderWay = false
  private var lastRound: UInt64 = 0

  /// How many events are looked at before the ring is looked at again: some milliseconds.
  private static let slice = 4_000
  /// How long after a round the next begins, in nanoseconds.
  private static let pause: UInt64 = 1_000_000_000

  init(_ clock: RecorderClock) {
    self.clock = clock
  }

  /// Something was stored.
  mutating func noteStored() { isBehind = true }

  /// How long there is nothing to do, if nothing comes: for ever once all is looked at.
  var rest: Duration {
    if isUnderWay { return .zero }
    guard isBehind else { return .seconds(86_400) }
    let since = clock.events() &- lastRound
    return since < Self.pause ? .nanoseconds(Int64(Self.pause - since)) : .zero
  }

  /// Does the next slice, if it is time for one.
  mutating func work(_ writer: HistoryWriter) throws {
    guard rest == .zero else { return }
    // What fails is not tried again before the next round.
    isUnderWay = false
    lastRound = clock.events()
    isBehind = false
    isUnderWay = try keeper.step(writer, upTo: Self.slice)
  }

  /// Does all that is left, as far as there is time; the next recorder does the rest.
  mutating func finish(_ writer: HistoryWriter, atMost limit: Duration) throws {
    let end = ContinuousClock.now + limit
    while try keeper.step(writer, upTo: Self.slice), ContinuousClock.now < end {}
  }
}
