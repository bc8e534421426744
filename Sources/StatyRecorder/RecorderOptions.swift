public import Foundation

/// How a recorder works; the defaults are meant for apps.
public struct RecorderOptions: Sendable {
  /// The app's name and version, as the history's sessions say.
  public var app: String
  /// See ``app``.
  public var appVersion: String

  /// Whether states' payloads are recorded.
  ///
  /// What a state wants hashed or omitted is so in any case.
  public var recordsPayloads = true

  /// Payloads longer than this are cut off, in bytes.
  public var mostPayloadBytes = 4_096

  /// How many events a thread can be ahead of the file before the newest are dropped.
  ///
  /// Rounded up to a power of two, from 2 to 4,194,304.
  ///
  /// Each takes 64 bytes for each of 15 threads in the ring, which is written out in full when it is
  /// made: 34 MB with the default. An app that is to record needs that much room beside its history.
  public var eventsPerThread = 32_768

  /// How long the writer gathers events before it commits them.
  public var gathering: Duration = .milliseconds(150)

  /// What is kept when the history grows.
  public var retention = Retention()

  /// Whether the file can be read only by this process while it records.
  public var isExclusive = false

  /// The options for an app of this name.
  ///
  /// - Parameter app: by default the name of the running program.
  public init(app: String = ProcessInfo.processInfo.processName, appVersion: String = "") {
    self.app = app
    self.appVersion = appVersion
  }
}

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
