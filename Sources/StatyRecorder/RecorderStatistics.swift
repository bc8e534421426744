/// Counts of the events that a recorder has observed.
///
/// Each count is independent of the others. When no event is in flight, `observed == stored + lost + queued`.
public struct RecorderStatistics: Hashable, Sendable {
  /// Events that have a number.
  public let observed: UInt64
  /// Events that are committed to the file.
  ///
  /// Those in a file that was removed, replaced or damaged while it was recorded into are lost.
  public let stored: UInt64
  /// Events that are lost, because the ring had no room, they could not be stored, or their file is gone.
  public let lost: UInt64
  /// Events that wait in the ring.
  public let queued: UInt64

  /// Payloads that were left out because the ring was more than three quarters full.
  ///
  /// Their events were recorded.
  public let payloadsLeftOut: UInt64

  /// Events on their way: they have a number and are not in the ring yet, or were just stored and are not counted
  /// yet.
  public var inFlight: UInt64 {
    let known = stored + lost + queued
    return observed > known ? observed - known : 0
  }
}
