internal import CStatyRing

/// What a ring counted, each number on its own; all of them only grow.
package struct RingCounters: Equatable, Sendable {
  /// The highest number known to have been drawn.
  package var highestDrawn: UInt64
  /// Records dropped because their thread's lane was full.
  package var droppedFull: UInt64
  /// Records dropped because their thread had no lane, and the shared one was full or taken.
  package var droppedWithoutLane: UInt64
  /// Log entries dropped because the log was full.
  package var droppedLogFull: UInt64
  /// Log entries dropped because other threads were writing entries all the time.
  package var droppedLogBusy: UInt64
  /// Records that the writer released.
  package var released: UInt64
  /// The highest number among them.
  var highestReleased: UInt64
  /// Records that the writer found damaged and passed over.
  package var torn: UInt64
  /// Events given up because what they need could not be noted.
  var unnoted: UInt64
  /// Payloads left out for want of room, their events being kept.
  var payloadsLeftOut: UInt64

  /// No process lives to draw more; a counter that says so was damaged, as nothing guards it.
  static let mostNumbers: UInt64 = 1 << 42

  init(_ header: UnsafePointer<staty_ring_header>) {
    // One load each: the counters are independent, and all together they are not one moment.
    func word(_ field: PartialKeyPath<staty_ring_header>) -> UInt64 {
      let offset = MemoryLayout<staty_ring_header>.offset(of: field)!
      // A counter is its value and padding, so it begins with the word to load.
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
    let highest = [value(\.drawn), value(\.dropped_highest), highestReleased]
    highestDrawn = highest.filter { $0 <= Self.mostNumbers }.max() ?? 0
  }

  /// Records that were dropped for any reason.
  package var dropped: UInt64 { droppedFull + droppedWithoutLane }
}
