public import StatyRules

/// The smallest run with the same finding that a ``Minimizer`` has found.
public struct Minimization: Sendable {
  /// What is proven of the result, and what prevented a proof.
  public struct Proof: Hashable, Sendable {
    /// How much is known of the requests that are left.
    public enum Requests: Hashable, Sendable {
      /// Without any one of them, no order has the finding.
      case everyOrder
      /// Without any one of them, the order of the run does not have the finding. Not every other
      /// order was searched.
      case runOrder(Obstacle)
      /// Not every single one of them was removed and tried.
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

  /// What prevented a search from finishing.
  public enum Obstacle: Hashable, Sendable {
    /// The search reached a limit.
    case limit(Exploration.Cut)
    /// Something that the recording does not say or the controller does not repeat, however long
    /// the search.
    case doubt(ReplayDoubt)
  }

  /// A count before and after minimizing.
  public struct Extent: Hashable, Sendable {
    /// In the recording.
    public internal(set) var before: Int
    /// In the run.
    public internal(set) var after: Int
  }

  /// What every smaller run had to show; its requests are those of ``scenario``.
  package var kept: KeptFinding
  /// What is found of it in the run.
  public internal(set) var finding: Finding
  /// What is left.
  public internal(set) var scenario: Scenario
  /// The steps of the run.
  public internal(set) var schedule: Schedule
  /// Whether the rule is broken only if nothing more happens.
  public internal(set) var isAtEnd: Bool
  /// Whether the recording breaks the rule in another way than the first run of it did.
  package var isInAnotherWay: Bool
  /// How many requests and cancellations there are.
  public internal(set) var requests: Extent
  /// How many events there are.
  public internal(set) var events: Extent
  /// What is proven of it.
  public internal(set) var proof: Proof
  /// How many runs were made.
  public internal(set) var runs: Int
  /// What prevented a search.
  public internal(set) var doubts: [ReplayDoubt]
}
