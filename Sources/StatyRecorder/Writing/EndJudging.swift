import StatyHistory

/// Stores the findings that would hold if the session ended now, such as `never-entered`, while the writer is
/// idle.
///
/// Findings that later events cannot change are stored with the events.
struct EndJudging {
  private let clock: RecorderClock
  /// Whether events were stored since the last time.
  private var isBehind = true
  private var last: UInt64 = 0

  /// The least time between two runs, in nanoseconds.
  private static let pause: UInt64 = 1_000_000_000

  init(_ clock: RecorderClock) {
    self.clock = clock
  }

  /// Call it after events were stored.
  mutating func noteStored() { isBehind = true }

  /// The time until the next run, if no events are stored.
  var rest: Duration {
    guard isBehind else { return .seconds(86_400) }
    let since = clock.events() &- last
    return since < Self.pause ? .nanoseconds(Int64(Self.pause - since)) : .zero
  }

  /// Runs if it is time.
  mutating func work(_ writer: HistoryWriter, _ session: Int64) throws {
    guard rest == .zero else { return }
    // Set first, so that a failure is not retried at once.
    last = clock.events()
    isBehind = false
    try writer.judgeEnd(of: session)
  }
}
