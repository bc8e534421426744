/// How long states may take, and what is done about one that takes longer.
public struct Deadlines: Hashable, Sendable {
  /// How long a state may take to come in; `nil` for ever.
  public var entering: Duration?
  /// How long a state may take to leave; `nil` for ever.
  public var leaving: Duration?
  /// What is done about it.
  public var recovery: DeadlineRecovery

  /// These deadlines.
  public init(
    entering: Duration? = nil, leaving: Duration? = nil, recovery: DeadlineRecovery = .report
  ) {
    self.entering = entering
    self.leaving = leaving
    self.recovery = recovery
  }

  /// States may take as long as they like.
  public static var none: Deadlines { Deadlines() }

  var hasLimit: Bool { entering != nil || leaving != nil }

  func limit(for completion: Completion) -> Duration? {
    completion == .entered ? entering : leaving
  }
}
