public import StatyRules

/// The smallest run with the same violation that a ``Minimizer`` has found.
public struct Minimization: Sendable {
  /// What is proven of what is left, and where something is not, what is in the way.
  public struct Proof: Hashable, Sendable {
    /// How much is known of the requests that are left.
    public enum Requests: Hashable, Sendable {
      /// Without any one of them the violation is in no order that there is.
      case everyOrder
      /// Without any one of them it is not in the order that the run has; not every other order was
      /// searched.
      case runOrder(Obstacle)
      /// Not every one of them was left out.
      case open(Obstacle)
    }

    /// How much is known of the order of the run.
    public enum Order: Hashable, Sendable {
      /// No order of what is left has fewer steps.
      case shortest
      /// Not every order with fewer steps was searched.
      case open(Obstacle)
    }

    /// Whether any request could still be left out.
    public internal(set) var requests: Requests
    /// Whether another order has fewer steps.
    public internal(set) var order: Order
  }

  /// What kept a search from its end.
  public enum Obstacle: Hashable, Sendable {
    /// More would have been needed than was allowed.
    case limit(Exploration.Cut)
    /// What the recording does not say, or the controller does not do twice, however long one searches.
    case doubt(ReplayDoubt)
  }

  /// How much there is of something before and after.
  public struct Extent: Hashable, Sendable {
    /// In the recording.
    public internal(set) var before: Int
    /// In the run.
    public internal(set) var after: Int
  }

  /// The violation; its requests are those of ``scenario``.
  package var violation: Violation
  /// What is found of it in the run.
  public internal(set) var finding: Finding
  /// What is left.
  public internal(set) var scenario: Scenario
  /// The steps of the run.
  public internal(set) var schedule: Schedule
  /// Whether it shows only when nothing more comes.
  public internal(set) var isAtEnd: Bool
  /// How many requests and cancellations there are.
  public internal(set) var requests: Extent
  /// How many events there are.
  public internal(set) var events: Extent
  /// What is proven of it.
  public internal(set) var proof: Proof
  /// How many runs were made.
  public internal(set) var runs: Int
  /// What stood in the way of a search.
  public internal(set) var doubts: [ReplayDoubt]
}
