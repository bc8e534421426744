public import Staty

/// A place where a replay did something else than the history says.
public struct Divergence: Hashable, Sendable {
  /// What is the difference.
  public enum Difference: Hashable, Sendable {
    /// The history has an output that the replay did not make.
    case missing(Output)
    /// The replay made an output that the history does not have.
    case extra(Output)
    /// Both did the same to the same visit, but for another reason or in another handling.
    case different(recorded: Output, replayed: Output)
    /// The replay made the output too, but not before it made this other one.
    case reordered(recorded: Output, replayed: Output)
    /// The one side called a completion stray and the other did not.
    case stray(VisitNumber, Completion, recorded: Fit, replayed: Fit)
  }

  /// The difference.
  public var difference: Difference
  /// The number of the controller in the file.
  public var controller: Int32
  /// The number of the recorded event at which it showed.
  public var seq: Int64
  /// Microseconds since the session began.
  public var time: Int64
  /// Who stood and who waited in the replay at that point.
  public var standing: PolicySnapshot
}
