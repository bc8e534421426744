/// The limits of a history.
///
/// The recorder deletes the oldest sessions when a limit is exceeded.
///
/// The recorder's own thread checks the limits when it opens the file and then, while events are stored, about
/// once a second. An idle recorder deletes nothing. It deletes whole sessions. When a session reaches an eighth
/// of the limit in bytes or age, the recorder continues in a new one.
public struct Retention: Hashable, Sendable {
  /// The largest size of the file in bytes; `nil` for no limit.
  ///
  /// The oldest session is deleted when the used pages reach fifteen sixteenths of the limit. Its space is reused,
  /// and space above the limit is given back to the file system. Names of states are never deleted. `bytes`
  /// excludes the write-ahead log and the ring.
  public var bytes: Int?
  /// The largest age of a session's last event; `nil` for no limit.
  public var age: Duration?
  /// The largest number of sessions, including the current one; `nil` for no limit.
  ///
  /// Sessions that continue each other count as one.
  public var sessions: Int?

  /// Creates these limits; by default, there is none.
  public init(bytes: Int? = nil, age: Duration? = nil, sessions: Int? = nil) {
    self.bytes = bytes
    self.age = age
    self.sessions = sessions
  }
}
