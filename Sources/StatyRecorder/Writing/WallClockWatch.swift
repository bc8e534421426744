import StatyHistory

/// Notices when the wall clock is set, by comparing it with the session's own clock.
///
/// The writer checks when it wakes up and before it rests. Clocks are usually set, and machines usually sleep,
/// while an app is idle. So the new time counts from the previous check on: events that arrived while the
/// writer rested probably came after the change. While the app is busy, the error is at most the time between
/// two checks, which is the time for which the writer gathers events.
struct WallClockWatch {
  /// The smallest difference that counts as a change, in microseconds.
  ///
  /// It is far above the effects of slewing and of a delayed thread. A drifting clock gets a new anchor each
  /// time it has drifted this far.
  static let tolerance: Int64 = 100_000

  private let clock: RecorderClock
  private let began: UInt64
  /// The wall clock minus the session's own clock, as stored in the file.
  private var offset: Int64
  /// The session's own time at the last check.
  private var lastCheck: Int64 = 0

  /// - Parameters:
  ///   - began: the events' clock at the session's beginning.
  ///   - wall: the wall clock at the same moment.
  init(_ clock: RecorderClock, began: UInt64, wall: Int64) {
    self.clock = clock
    self.began = began
    offset = wall
  }

  /// Compares the clocks.
  ///
  /// - Returns: an anchor to store if the wall clock was set.
  mutating func check() -> AnchorRecord? {
    let (wall, time) = read()
    let since = lastCheck + 1
    lastCheck = max(lastCheck, time)
    let apart = wall &- time
    guard (apart &- offset).magnitude > UInt64(Self.tolerance) else { return nil }
    offset = apart
    return AnchorRecord(time: since, wallTime: apart &+ since)
  }

  /// The time now by both clocks, as an anchor to store.
  mutating func now() -> AnchorRecord {
    let (wall, time) = read()
    lastCheck = max(lastCheck, time)
    offset = wall &- time
    return AnchorRecord(time: time, wallTime: wall)
  }

  /// The wall clock, and the session's own time.
  private func read() -> (wall: Int64, time: Int64) {
    let (wall, events) = clock.both()
    return (wall, events > began ? Int64((events - began) / 1_000) : 0)
  }
}
