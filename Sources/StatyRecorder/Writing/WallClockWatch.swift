import StatyHistory

/// Notices when the wall clock and a session's own clock part.
///
/// It looks whenever the writer wakes up and before it goes to rest. What was put while the writer
/// rested came after the clock was set, most likely: an app that is idle is where a clock is set and
/// where a machine sleeps. So the new reading counts from the look before on. While events keep
/// coming, looks are as close as the writer gathers, and no event is further off than that.
struct WallClockWatch {
  /// How far the clocks may part unnoticed, in microseconds.
  ///
  /// Far above what slewing does between two looks and what a thread is held up; a clock that drifts
  /// gets an anchor each time it has drifted this far.
  static let tolerance: Int64 = 100_000

  private let clock: RecorderClock
  private let began: UInt64
  /// What the wall clock shows more than the session's own, as the file has it.
  private var offset: Int64
  /// The session's own time at the last look.
  private var lastLook: Int64 = 0

  /// - Parameters:
  ///   - began: the events' clock at the session's beginning.
  ///   - wall: the wall clock then.
  init(_ clock: RecorderClock, began: UInt64, wall: Int64) {
    self.clock = clock
    self.began = began
    offset = wall
  }

  /// Looks at the clocks.
  ///
  /// - Returns: an anchor to store, if they have parted.
  mutating func look() -> AnchorRecord? {
    let (wall, events) = clock.both()
    let time = events > began ? Int64((events - began) / 1_000) : 0
    let since = lastLook + 1
    lastLook = max(lastLook, time)
    let apart = wall &- time
    guard (apart &- offset).magnitude > UInt64(Self.tolerance) else { return nil }
    offset = apart
    return AnchorRecord(time: since, wallTime: apart &+ since)
  }
}
