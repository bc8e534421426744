import StatyHistory
import StatyRecorder

/// What an app was told about its events.
struct Promise: Sendable {
  /// How many events of a session are said to be safe, and how many before them to be lost.
  struct Share: Sendable {
    var observed: Int64
    var lost: Int64
    /// Whether a later session was told to keep the file small, and may have removed this one.
    var mayBeRemoved = false

    /// What a recorder says at this moment.
    init(_ told: RecorderStatistics) {
      observed = Int64(told.observed)
      lost = Int64(told.lost)
    }
  }

  /// By the sessions' names everywhere.
  var sessions: [String: Share] = [:]
  /// Whether the machine stays on: then what was acknowledged is safe, too, and no ring stays behind.
  var keepsPower = false
  /// What was in the file before, by the sessions' names everywhere; nothing changes it.
  var before: [String: Before] = [:]

  /// A session that was there before.
  struct Before: Equatable, Sendable {
    var events: [EventRow]
    /// Whether somebody was told to keep the file small.
    var mayBeRemoved = false
  }

  /// From now on somebody keeps the file small.
  mutating func allowRemoval() {
    for uuid in sessions.keys { sessions[uuid]?.mayBeRemoved = true }
    for uuid in before.keys { before[uuid]?.mayBeRemoved = true }
  }
}
