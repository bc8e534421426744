import Foundation
import Staty

/// What time it is for a recorder's writer: the wall clock, which may be set, and the clock of
/// events, which only goes on.
package struct RecorderClock: Sendable {
  /// Microseconds since 1970.
  package var wall: @Sendable () -> Int64
  /// Nanoseconds of the clock that events carry.
  package var events: @Sendable () -> UInt64

  /// The system's clocks, or others.
  package init(
    wall: @escaping @Sendable () -> Int64 = {
      Int64(Date().timeIntervalSince1970 * 1_000_000)
    },
    events: @escaping @Sendable () -> UInt64 = { EventSource.clock }
  ) {
    self.wall = wall
    self.events = events
  }

  /// Both clocks at one moment.
  ///
  /// A thread that was held up between two looks would see them part, so the closest of a few pairs
  /// counts.
  func both() -> (wall: Int64, events: UInt64) {
    var best = (wall: Int64(0), events: UInt64(0), apart: UInt64.max)
    for _ in 0..<4 {
      let before = events()
      let wall = wall()
      let after = events()
      let apart = after > before ? after - before : 0
      if apart < best.apart { best = (wall, after, apart) }
      if apart < 1_000_000 { break }
    }
    return (best.wall, best.events)
  }
}
