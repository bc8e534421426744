import StatyHistory
import StatyRecorder

/// The events that were promised to an app.
struct Promise: Sendable {
  /// The number of promised events of a session, and of lost events before them.
  struct Share: Sendable {
    var observed: Int64
    var lost: Int64
    /// Whether a later session had a low limit, and may have deleted this one.
    var mayBeRemoved = false

    /// The recorder's current statistics.
    init(_ told: RecorderStatistics) {
      observed = Int64(told.observed)
      lost = Int64(told.lost)
    }
  }

  /// By the sessions' UUIDs.
  var sessions: [String: Share] = [:]
  /// Whether there is no loss of power.
  ///
  /// Then acknowledged events are promised too, and no ring remains.
  var keepsPower = false
  /// The sessions that were in the file before, by their UUIDs.
  ///
  /// They do not change.
  var before: [String: Before] = [:]

  /// A session that was in the file before.
  struct Before: Equatable, Sendable {
    var events: [EventRow]
    /// Whether a session had a low limit.
    var mayBeRemoved = false
  }

  /// Call it when a session with a low limit begins.
  mutating func allowRemoval() {
    for uuid in sessions.keys { sessions[uuid]?.mayBeRemoved = true }
    for uuid in before.keys { before[uuid]?.mayBeRemoved = true }
  }
}
