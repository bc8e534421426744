/// What came of replaying a history.
public enum ReplayVerdict: Hashable, Sendable {
  /// Every decision of the controllers, or move of a track, was made again; so many were.
  case reproduced(decisions: Int)
  /// The replay did something else than the history says, first here.
  case diverged(ReplayDivergence)
  /// It cannot be said, for these reasons.
  case inconclusive([String])
}

/// A place where a replay did something else than the history says.
public struct ReplayDivergence: Hashable, Sendable {
  /// The name of the controller or track.
  public let controller: String
  /// The number of the recorded event at which it showed.
  public let event: Int64
  /// What the history says, such as `moved #3 ready`; `nothing` if it says nothing.
  public let recorded: String
  /// What the replay did instead.
  public let replayed: String
  /// How many decisions had been made again before.
  public let matched: Int
}

extension ReplayVerdict: CustomStringConvertible {
  /// The verdict in words.
  public var description: String {
    switch self {
    case .reproduced(let decisions):
      "Reproduced: every one of \(decisions) decisions was made again."
    case .diverged(let divergence): "Diverged: \(divergence)"
    case .inconclusive(let reasons):
      "Inconclusive: " + reasons.joined(separator: "\n")
    }
  }
}

extension ReplayDivergence: CustomStringConvertible {
  /// The divergence in words.
  public var description: String {
    "at event \(event) of '\(controller)', after \(matched) decisions that were made again, the history "
      + "says '\(recorded)' and the replay did '\(replayed)'."
  }
}
