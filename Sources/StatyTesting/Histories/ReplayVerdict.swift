/// The verdict of a replay.
public enum ReplayVerdict: Hashable, Sendable {
  /// Every decision of the controllers, and every change of the tracks, was reproduced. The value
  /// is their number.
  case reproduced(decisions: Int)
  /// The replay did something else than the history says. The value is the first divergence.
  case diverged(ReplayDivergence)
  /// The replay could not decide, for these reasons.
  case inconclusive([String])
}

/// A place where a replay did something else than the history says.
public struct ReplayDivergence: Hashable, Sendable {
  /// The name of the controller or track.
  public let controller: String
  /// The number of the recorded event at which the replay diverged.
  public let event: Int64
  /// The recorded output, such as `moved #3 ready`; `nothing` if there is none.
  public let recorded: String
  /// The output of the replay.
  public let replayed: String
  /// The number of decisions that were reproduced before.
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
    let decisions = matched == 1 ? "decision that was" : "decisions that were"
    return
      "at event \(event) of '\(controller)', after \(matched) \(decisions) made again, the history "
      + "says '\(recorded)' and the replay did '\(replayed)'."
  }
}
