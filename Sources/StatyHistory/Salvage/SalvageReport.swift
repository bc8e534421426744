/// What was got out of a damaged history, and what was not.
package struct SalvageReport: Equatable, Sendable {
  /// What is left of a session.
  package struct Session: Equatable, Sendable {
    /// Its number in the file.
    package var id: Int64
    /// Its name everywhere, or what has to stand for it.
    package var uuid: String
    /// Whether a checksum vouches for that, and for the app, its version, the system and the beginning;
    /// else they were left out.
    package var isVouched: Bool
    /// Whether one vouches for how it ended, for what it had lost before, and for its clock; else
    /// they were left out.
    package var isSealed: Bool
    /// How many controllers are there.
    package var controllers = 0
    /// For which of them no checksum says which policy they had, and where they stood: that was left
    /// out.
    package var unvouchedControllers: [String] = []
    /// How many events are there, each as its checksum has it.
    package var events: Int64 = 0
    /// How many events were left out though they can be read: their checksum does not hold, or is
    /// missing.
    package var unverified: Int64 = 0
    /// The numbers that are missing since the file is damaged, with those that were left out.
    package var missing: [ClosedRange<Int64>] = []

    /// How many events are missing since the file is damaged, with those that were left out.
    package var lost: Int64 {
      missing.reduce(0) { $0 &+ ($1.upperBound &- $1.lowerBound &+ 1) }
    }

    /// Whether everything is there.
    package var isWhole: Bool {
      isVouched && isSealed && unvouchedControllers.isEmpty && missing.isEmpty && unverified == 0
    }
  }

  /// How many pages the file has, or says that it has.
  package var pages: Int
  /// How many of them are lost: other sessions may have stood on them.
  package var lostPages: Int
  /// The sessions that are there, in the order of their events' numbers.
  package var sessions: [Session] = []
  /// How many are not there though something of them can be read: no recorder says that of a session,
  /// or it is said of another, too.
  package var sessionsLeftOut = 0
  /// How many events can be read that are of none of the sessions that are there.
  package var strays: Int64 = 0
  /// Where the log breaks off: what was committed there and behind may be missing.
  package var logBreak: LogBreak?

  /// Whether everything is there, as it was stored.
  package var isWhole: Bool {
    sessions.allSatisfy(\.isWhole) && sessionsLeftOut == 0 && lostPages == 0 && strays == 0
      && logBreak == nil
  }

  /// How many events are there.
  package var events: Int64 { sessions.reduce(0) { $0 + $1.events } }

  /// How many were left out since no checksum vouches for them.
  package var unverified: Int64 { sessions.reduce(0) { $0 + $1.unverified } }
}
