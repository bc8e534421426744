/// How much of a history is kept; the oldest events go first.
///
/// The recorder's own thread looks when it opens the file and then, while events are stored, about
/// once a second. An idle recorder removes nothing. It removes a few thousand events at a time, in
/// between the ring and those who wait for it come first.
///
/// Of a session that is too long, or that records, the beginning is cut off: the file says how many
/// events that were, and where each controller stood at the cut, so that what is left can be checked
/// and replayed. The newest few thousand events of a session that records always stay.
public struct Retention: Hashable, Sendable {
  /// The most bytes that the file may have; `nil` for any number.
  ///
  /// The oldest events go when the pages in use come within a sixteenth of the limit. Their room is
  /// used again, and what exceeds the limit is given back to the system. So the file stays within
  /// it, but for what is stored between two looks. Names of states are never removed. The log and
  /// the ring beside the file do not count.
  public var bytes: Int?
  /// The oldest that an event may be, to within some thousand; `nil` for any age.
  public var age: Duration?
  /// The most sessions, with the one that records; `nil` for any number.
  public var sessions: Int?

  /// What is kept, by default everything.
  public init(bytes: Int? = nil, age: Duration? = nil, sessions: Int? = nil) {
    self.bytes = bytes
    self.age = age
    self.sessions = sessions
  }
}
