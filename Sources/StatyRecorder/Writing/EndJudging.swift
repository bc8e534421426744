import StatyHistory

/// Stores what would have to be reported if the session ended now, when the writer has nothing else to do.
///
/// What is certain is stored with the events.
struct EndJudging {
  private let clock: RecorderClock
  /// Whether something was stored since.
  private var isBehind = true
  private var last: UInt64 = 0

  /// How long after it was done it is done again, in nanoseconds.
  private static let pause: UInt64 = 1_000_000_000

  init(_ clock: RecorderClock) {
    self.clock = clock
  }

  /// Something was stored.
  mutating func noteStored() { isBehind = true }

  /// How long there is nothing to do, if nothing comes.
  var rest: Duration {
    guard isBehind else { return .seconds(86_400) }
    let since = clock.events() &- last
    return since < Self.pause ? .nanoseconds(Int64(Self.pause - since)) : .zero
  }

  /// Does it, if it is time.
  mutating func work(_ writer: HistoryWriter, _ session: Int64) throws {
    guard rest == .zero else { return }
    // What fails is not tried again before the next round.
    last = clock.events()
    isBehind = false
    try writer.judgeEnd(of: session)
  }
}
