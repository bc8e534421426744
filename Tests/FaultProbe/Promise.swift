import StatyHistory

/// What an app was told about its events.
struct Promise: Sendable {
  /// How many events of a session were said to be safe, and how many before them to be lost.
  struct Share: Sendable {
    var observed: Int64
    var lost: Int64
    /// Whether a later session was told to keep the file small, and may have removed this one.
    var mayBeRemoved = false
  }

  /// By the name that each session's app goes by.
  var sessions: [String: Share] = [:]
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
    for app in sessions.keys { sessions[app]?.mayBeRemoved = true }
    for uuid in before.keys { before[uuid]?.mayBeRemoved = true }
  }
}
