public import StatyRules

/// The smallest run with the same violation that a ``Minimizer`` has found.
public struct Minimization: Sendable {
  /// How much is known of the requests that are left.
  public enum Proof: String, Hashable, Sendable, CaseIterable {
    /// Without any one of them the violation is in no order that there is.
    case everyOrder = "every-order"
    /// Without any one of them it is not in the order that the run has; not every other order was
    /// searched.
    case runOrder = "run-order"
    /// Not every one of them was left out.
    case none
  }

  /// How much there is of something before and after.
  public struct Extent: Hashable, Sendable {
    /// In the recording.
    public var before: Int
    /// In the run.
    public var after: Int
  }

  /// The violation; its requests are those of ``scenario``.
  public var violation: Violation
  /// What is found of it in the run.
  public var finding: Finding
  /// What is left.
  public var scenario: Scenario
  /// The steps of the run.
  public var schedule: Schedule
  /// Whether it shows only when nothing more comes.
  public var isAtEnd: Bool
  /// How many requests and cancellations there are.
  public var requests: Extent
  /// How many events there are.
  public var events: Extent
  /// Whether any request could still be left out.
  public var proof: Proof
  /// Whether it is known that no order of what is left has fewer steps.
  public var isShortest: Bool
  /// What was used up before everything was tried; `nil` if all was.
  public var cut: Exploration.Cut?
  /// How many runs were made.
  public var runs: Int
  /// What stood in the way of a search.
  public var doubts: [ReplayResult.Doubt]
}
