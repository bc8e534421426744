/// Time limits for entering and exiting, and what to do when a state exceeds them.
public struct Deadlines: Hashable, Sendable {
  /// The time that a state may take to enter; `nil` for no limit.
  public var entering: Duration?
  /// The time that a state may take to exit; `nil` for no limit.
  ///
  /// One that waits for the user, such as an alert, has no limit once it has entered.
  public var exiting: Duration?
  /// What the controller does when a limit is exceeded.
  public var recovery: DeadlineRecovery

  /// Creates deadlines.
  public init(
    entering: Duration? = nil, exiting: Duration? = nil, recovery: DeadlineRecovery = .report
  ) {
    self.entering = entering
    self.exiting = exiting
    self.recovery = recovery
  }

  /// No limits.
  public static var none: Deadlines { Deadlines() }

  var hasLimit: Bool { entering != nil || exiting != nil }

  func limit(for completion: Completion) -> Duration? {
    completion == .entered ? entering : exiting
  }
}
