/// What was got out of a damaged history, and what was not.
public struct SalvageReport: Equatable, Sendable {
  /// Why no checksum vouches for events that stand on pages which are as they must be.
  public enum Doubt: String, CaseIterable, Sendable {
    /// Their checksum is over others, too, which are missing.
    case incomplete
    /// Their checksum is missing, or the one before it that it takes up.
    case unchained
    /// Their checksum says otherwise: one of them was changed, or what it names, or what is said of
    /// its controller or session; which is not known.
    case changed
  }

  /// What is left of a session.
  public struct Session: Equatable, Sendable {
    /// Its number in the file.
    public var id: Int64
    /// Its name everywhere, or what has to stand for it.
    public var uuid: String
    /// Whether a checksum vouches for that, and for the app, its version, the system and the beginning;
    /// else they were left out.
    public var isVouched = false
    /// Whether one vouches for how it ended, for what it had lost before, and for its clock; else
    /// they were left out.
    public var isSealed = false
    /// How many controllers are there.
    public var controllers = 0
    /// For which of them no checksum says what policy they had, and where they stood: that was left
    /// out.
    public var unvouchedControllers: [String] = []
    /// How many events are there, each as its checksum has it.
    public var events: Int64 = 0
    /// In how many of them a bit was put back that had been flipped, as the checksum has it.
    public var mended = 0
    /// How many events were left out though they stand on pages that are as they must be.
    public var unverified: [Doubt: Int64] = [:]
    /// The numbers that are missing since the file is damaged, with those that were left out.
    public var missing: [ClosedRange<Int64>] = []

    /// How many events are missing since the file is damaged, with those that were left out.
    public var lost: Int64 {
      missing.reduce(0) { $0 &+ ($1.upperBound &- $1.lowerBound &+ 1) }
    }

    /// Whether everything is there.
    public var isWhole: Bool {
      isVouched && isSealed && unvouchedControllers.isEmpty && missing.isEmpty
    }
  }

  /// How many pages the file has, or says that it has.
  public var pages: Int
  /// How many of them are lost.
  public var lostPages: Int
  /// The sessions that were found, in the order of their events' numbers.
  public var sessions: [Session] = []

  /// Whether everything is there, as it was stored.
  public var isWhole: Bool { sessions.allSatisfy(\.isWhole) }

  /// How many events are there.
  public var events: Int64 { sessions.reduce(0) { $0 + $1.events } }

  /// How many were left out since no checksum vouches for them.
  public var unverified: Int64 {
    sessions.reduce(0) { $0 + $1.unverified.values.reduce(0, +) }
  }
}
