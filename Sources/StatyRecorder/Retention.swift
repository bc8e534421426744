/// How much of a history is kept; the oldest sessions go first.
///
/// The recorder's own thread looks when it opens the file and then, while events are stored, about
/// once a second. An idle recorder deletes nothing. Sessions are deleted whole. A session that takes an
/// eighth of the limit in bytes or age ends, and the recorder continues in a new one.
public struct Retention: Hashable, Sendable {
  /// The most bytes that the file may have; `nil` for any number.
  ///
  /// The oldest session goes when the pages in use come within a sixteenth of the limit. Its room is
  /// used again, and what exceeds the limit is given back to the system. Names of states are never
  /// deleted. The log and the ring next to the file do not count.
  public var bytes: Int?
  /// The oldest that the last event of a session may be; `nil` for any age.
  public var age: Duration?
  /// The most sessions, with the one that records; `nil` for any number.
  ///
  /// Sessions that continue each other count as one.
  public var sessions: Int?

  /// What is kept; with no limit, everything.
  public init(bytes: Int? = nil, age: Duration? = nil, sessions: Int? = nil) {
    self.bytes = bytes
    self.age = age
    self.sessions = sessions
  }
}
