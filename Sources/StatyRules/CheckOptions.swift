/// What a check takes for too long.
public struct CheckOptions: Hashable, Sendable {
  /// How long, in microseconds of the session, something may be outstanding before it counts as
  /// never happening.
  public var patience: Int64 = 2_000_000
  /// How long, in microseconds, a state may take to leave.
  public var slowExit: Int64 = 1_000_000

  /// The usual: two seconds of patience, a second to leave.
  public init() {}
}
