/// What was got out of a damaged history, and what was not.
package struct SalvageReport: Equatable, Sendable {
  /// Why no checksum vouches for events that stand on pages which are as they must be.
  package enum Doubt: String, CaseIterable, Sendable {
    /// Their checksum is over others, too, which are missing.
    case incomplete
    /// Their checksum is missing, or the one before it that it takes up.
    case unchained
    /// Their checksum says otherwise: one of them was changed, or what it names, or what is said of
    /// its controller or session; which is not known.
    case changed
  }

  /// What is left of a session.
  package struct Session: Equatable, Sendable {
    /// Its number in the file.
    package var id: Int64
    /// Its name everywhere, or what has to stand for it.
    package var uuid: String
    /// Whether a checksum vouches for that, and for the app, its version, the system and the beginning;
    /// else they were left out.
    package var isVouched = false
    /// Whether one vouches for how it ended, for what it had lost before, and for its clock; else
    /// they were left out.
    package var isSealed = false
    /// How many controllers are there.
    package var controllers = 0
    /// For which of them no checksum says what policy they had, and where they stood: that was left
    /// out.
    package var unvouchedControllers: [String] = []
    /// How many events are there, each as its checksum has it.
    package var events: Int64 = 0
    /// In how many of them a bit was put back that had been flipped, as the checksum has it.
    package var mended = 0
    /// How many events were left out though they stand on pages that are as they must be.
    package var unverified: [Doubt: Int64] = [:]
    /// The numbers that are missing since the file is damaged, with those that were left out.
    package var missing: [ClosedRange<Int64>] = []

    /// How many events are missing since the file is damaged, with those that were left out.
    package var lost: Int64 {
      missing.reduce(0) { $0 &+ ($1.upperBound &- $1.lowerBound &+ 1) }
    }

    /// Whether everything is there.
    package var isWhole: Bool {
      isVouched && isSealed && unvouchedControllers.isEmpty && missing.isEmpty
    }
  }

  /// How many pages the file has, or says that it has.
  package var pages: Int
  /// How many of them are lost.
  package var lostPages: Int
  /// The sessions that are there, in the order of their events' numbers.
  package var sessions: [Session] = []
  /// How many are not there though something of them can be read: no recorder says that of a session,
  /// or it is said of another, too.
  package var sessionsLeftOut = 0
  /// Whether others may have stood on pages that are lost.
  package var mayLackSessions = false
  /// How many events can be read that are of none of the sessions that are there.
  package var strays: Int64 = 0
  /// Where the log breaks off: what was committed there and behind may be missing.
  package var logBreak: LogBreak?

  /// Whether everything is there, as it was stored.
  package var isWhole: Bool {
    sessions.allSatisfy(\.isWhole) && sessionsLeftOut == 0 && !mayLackSessions && strays == 0
      && logBreak == nil
  }

  /// How many events are there.
  package var events: Int64 { sessions.reduce(0) { $0 + $1.events } }

  /// How many were left out since no checksum vouches for them.
  package var unverified: Int64 {
    sessions.reduce(0) { $0 + $1.unverified.values.reduce(0, +) }
  }
}
