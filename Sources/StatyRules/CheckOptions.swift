/// The time limits of a check.
public struct CheckOptions: Hashable, Sendable {
  /// How long a check waits for something, in the session's time, before it counts as never
  /// happening.
  public var patience: Duration = .seconds(2)
  /// How long a state may take to enter.
  public var slowEnter: Duration = .seconds(1)
  /// How long a state may take to exit.
  public var slowExit: Duration = .seconds(1)
  /// How long after an element another one of its name may be a second tap on the same button.
  public var doublePush: Duration = .milliseconds(500)

  /// Creates the default options: two seconds of patience, one second to enter, one second to exit,
  /// and half a second for a second tap.
  public init() {}
}
