/// What a check takes for too long.
public struct CheckOptions: Hashable, Sendable {
  /// How long something may be outstanding, in the session's time, before it counts as never
  /// happening.
  public var patience: Duration = .seconds(2)
  /// How long a state may take to enter.
  public var slowEnter: Duration = .seconds(1)
  /// How long a state may take to leave.
  public var slowExit: Duration = .seconds(1)

  /// The usual: two seconds of patience, a second to enter and a second to leave.
  public init() {}
}

extension Duration {
  /// The whole microseconds in it, as times of events are; as many as there can be if it is longer.
  package var inMicroseconds: Int64 {
    let (seconds, isTooLong) = components.seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, isOver) = seconds.addingReportingOverflow(components.attoseconds / 1_000_000_000_000)
    if isTooLong || isOver { return components.seconds < 0 ? .min : .max }
    return sum
  }
}
