/// What was got out of a damaged history, and what was not.
public struct SalvageReport: Equatable, Sendable {
  /// What is left of a session.
  public struct Session: Equatable, Sendable {
    /// Its number in the file.
    public var id: Int64
    /// Its name everywhere.
    public var uuid: String
    /// Whether what was recorded of the session itself is there: without it the app, its version, the
    /// system and the end are not known.
    public var isWhole: Bool
    /// Whether that, its losses and its clock are as they were stored, by a checksum of their own.
    public var isSealed = false
    /// How many controllers are there.
    public var controllers = 0
    /// How many events are there.
    public var events: Int64 = 0
    /// Of how many of them the checksum says that they are as they were stored; the others stand on
    /// pages that are laid out as they must be, and their checksum is over events that are missing.
    public var verified: Int64 = 0
    /// In how many of them a bit was put back that had been flipped, as the checksum has it.
    public var mended = 0
    /// How many runs of events were left out, of which the checksum says that one was changed, and
    /// not which.
    public var altered = 0
    /// The numbers that are missing since the file is damaged.
    public var missing: [ClosedRange<Int64>] = []

    /// How many events are missing since the file is damaged.
    public var lost: Int64 {
      missing.reduce(0) { $0 &+ ($1.upperBound &- $1.lowerBound &+ 1) }
    }
  }

  /// How many pages the file has, or says that it has.
  public var pages: Int
  /// How many of them are lost.
  public var lostPages: Int
  /// The sessions that were found, in the order of their events' numbers.
  public var sessions: [Session] = []

  /// Whether everything is there, and as it was stored.
  public var isWhole: Bool {
    sessions.allSatisfy { $0.isWhole && $0.missing.isEmpty && $0.events == $0.verified }
  }

  /// How many events are there.
  public var events: Int64 { sessions.reduce(0) { $0 + $1.events } }
}
