/// What became of the events that a recorder was told of.
///
/// Each number is counted on its own. When nothing is in flight,
/// `observed == stored + lost + queued`.
public struct RecorderStatistics: Hashable, Sendable {
  /// Events that observers' numbers were drawn for.
  public let observed: UInt64
  /// Events that are committed to the file.
  public let stored: UInt64
  /// Events that were dropped, because there was no room or no way to store them.
  public let lost: UInt64
  /// Events that wait in the ring for the writer.
  public let queued: UInt64

  /// Payloads that were left out because there was little room; their events were kept.
  ///
  /// Events go on being recorded without payloads when the ring is more than three quarters full.
  public let payloadsLeftOut: UInt64

  /// Events that were observed and have neither been put into the ring nor dropped yet.
  ///
  /// Those that were just taken out of the ring and are about to be counted as stored are among
  /// them.
  public var inFlight: UInt64 {
    let known = stored + lost + queued
    return observed > known ? observed - known : 0
  }
}
