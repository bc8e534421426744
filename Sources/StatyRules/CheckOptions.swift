/// The time limits of a check.
public struct CheckOptions: Hashable, Sendable {
  /// How long a check waits for something, in the session's time, before it counts as never
  /// happening.
  public var patience: Duration = .seconds(2)
  /// How long a state may take to enter.
  public var slowEnter: Duration = .seconds(1)
  /// How long a state may take to exit.
  public var slowExit: Duration = .seconds(1)

  /// Creates the default options: two seconds of patience, one second to enter and one second to
  /// exit.
  public init() {}
}
