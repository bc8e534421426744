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

extension Duration {
  /// The duration in whole microseconds, the unit of event times; clamped if it is too long.
  package var inMicroseconds: Int64 {
    let (seconds, isTooLong) = components.seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, isOver) = seconds.addingReportingOverflow(components.attoseconds / 1_000_000_000_000)
    if isTooLong || isOver { return components.seconds < 0 ? .min : .max }
    return sum
  }
}
