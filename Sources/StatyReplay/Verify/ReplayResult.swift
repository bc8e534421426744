/// What came of replaying one session.
public struct ReplayResult: Hashable, Sendable {
  /// In a word.
  public enum Verdict: String, Hashable, Sendable {
    /// Every output was made again, as it was and where it was.
    case reproduced
    /// Something else happened.
    case diverged
    /// It cannot be said, for the reasons given.
    case inconclusive
  }

  /// Why a replay, or a part of it, says nothing.
  public enum Doubt: Hashable, Sendable {
    /// Events are missing from here on, so this controller is replayed only up to here.
    case gap(controller: Int32, seq: Int64)
    /// Nobody has told how to make a controller of this kind.
    case unknownController(controller: Int32, policy: String)
    /// An event says something that no version has written.
    case unreadable(seq: Int64)
    /// The recording says nothing about this controller that could be compared.
    case nothingToCompare(controller: Int32)
  }

  /// The places where the replay went another way: the first, and those that do not follow from it.
  public var divergences: [Divergence] = []
  /// What stands in the way of a verdict.
  public var doubts: [Doubt] = []
  /// The numbers of the recorded inputs that could not be told, because what they happened in did
  /// not happen.
  public var unreached: [Int64] = []
  /// How many recorded outputs were made again.
  public var matched = 0
  /// How many inputs were told.
  public var told = 0

  /// The verdict.
  ///
  /// A divergence is told however much is in doubt: what is in doubt comes after it.
  public var verdict: Verdict {
    divergences.isEmpty ? doubts.isEmpty ? .reproduced : .inconclusive : .diverged
  }
}
