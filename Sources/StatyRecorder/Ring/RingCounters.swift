internal import CStatyRing

/// A ring's counters.
///
/// Each one is independent of the others, and none ever decreases.
package struct RingCounters: Equatable, Sendable {
  /// The highest number that was drawn.
  package var highestDrawn: UInt64
  /// Records dropped because their thread's lane was full.
  package var droppedFull: UInt64
  /// Records dropped because their thread had no lane, and the shared one was full or busy.
  package var droppedWithoutLane: UInt64
  /// Log entries dropped because the log was full.
  package var droppedLogFull: UInt64
  /// Log entries dropped because other threads were using the log.
  package var droppedLogBusy: UInt64
  /// Records that the reader released.
  package var released: UInt64
  /// The highest number of a released record.
  var highestReleased: UInt64
  /// Damaged records that the reader skipped.
  package var torn: UInt64
  /// Events dropped because a note failed.
  var unnoted: UInt64
  /// Payloads left out of events that were recorded.
  var payloadsLeftOut: UInt64

  /// More numbers than a process can draw.
  ///
  /// A counter with a higher value is damaged; counters have no checksum.
  static let mostNumbers: UInt64 = 1 << 42

  init(_ header: UnsafePointer<staty_ring_header>) {
    // One load for each counter: together they are not a snapshot of one moment.
    func word(_ field: PartialKeyPath<staty_ring_header>) -> UInt64 {
      let offset = MemoryLayout<staty_ring_header>.offset(of: field)!
      // A counter begins with its value; padding follows.
      return staty_word_get(
        (UnsafeRawPointer(header) + offset).assumingMemoryBound(to: UInt64.self))
    }
    func value(_ counter: KeyPath<staty_ring_header, staty_counter>) -> UInt64 { word(counter) }
    droppedFull = value(\.dropped_full)
    droppedWithoutLane = value(\.dropped_no_lane)
    droppedLogFull = value(\.dropped_log_full)
    droppedLogBusy = value(\.dropped_log_busy)
    released = value(\.released)
    highestReleased = value(\.released_highest)
    torn = value(\.torn)
    unnoted = word(\.unnoted)
    payloadsLeftOut = word(\.payloads_left_out)
    let stopped = word(\.stopped)
    let drawn = stopped == 0 ? value(\.drawn) : min(value(\.drawn), stopped - 1)
    let highest = [drawn, value(\.dropped_highest), highestReleased]
    highestDrawn = highest.filter { $0 <= Self.mostNumbers }.max() ?? 0
  }

  /// Records that were dropped because there was no room.
  package var dropped: UInt64 { droppedFull + droppedWithoutLane }
}
