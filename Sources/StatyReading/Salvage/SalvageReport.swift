package import StatyHistory
/// What was recovered from a damaged history, and what was not.
package struct SalvageReport: Equatable, Sendable {
  /// What is left of a session.
  package struct Session: Equatable, Sendable {
    /// Its number in the file.
    package var id: Int64
    /// Its unique name, or a substitute.
    package var uuid: String
    /// Whether a checksum confirms its name, app, version, system and beginning; otherwise they
    /// were left out.
    package var isVouched: Bool
    /// Whether a checksum confirms its end, its earlier losses and its clock; otherwise they were
    /// left out.
    package var isSealed: Bool
    /// The number of recovered controllers.
    package var controllers = 0
    /// The controllers with a policy and a snapshot that no checksum confirms: both were left out.
    package var unvouchedControllers: [String] = []
    /// The number of recovered events, each confirmed by a checksum.
    package var events: Int64 = 0
    /// The number of readable events that were left out, because their checksum is wrong or
    /// missing.
    package var unverified: Int64 = 0
    /// The numbers that the damage makes missing, including those that were left out.
    package var missing: [ClosedRange<Int64>] = []

    /// The number of events that the damage makes missing, including those that were left out.
    package var lost: Int64 {
      missing.reduce(0) { $0 &+ ($1.upperBound &- $1.lowerBound &+ 1) }
    }

    /// Whether nothing of it is missing.
    package var isWhole: Bool {
      isVouched && isSealed && unvouchedControllers.isEmpty && missing.isEmpty && unverified == 0
    }
  }

  /// The number of pages that the file has, or should have.
  package var pages: Int
  /// The number of pages that are lost, or some of whose rows are: other sessions may have been on
  /// them.
  package var lostPages: Int
  /// The recovered sessions, in the order of their events' numbers.
  package var sessions: [Session] = []
  /// The number of sessions that were left out although parts can be read: their data is
  /// impossible, or another session has the same.
  package var sessionsLeftOut = 0
  /// The number of readable events that belong to no recovered session.
  package var strays: Int64 = 0
  /// The place where the log cannot be read further: what was committed from there on may be
  /// missing.
  package var logBreak: LogBreak?

  /// Whether everything was recovered, as it was stored.
  package var isWhole: Bool {
    sessions.allSatisfy(\.isWhole) && sessionsLeftOut == 0 && lostPages == 0 && strays == 0
      && logBreak == nil
  }

  /// The number of recovered events.
  package var events: Int64 { sessions.reduce(0) { $0 + $1.events } }

  /// The number of events that were left out, because no checksum confirms them.
  package var unverified: Int64 { sessions.reduce(0) { $0 + $1.unverified } }
}
