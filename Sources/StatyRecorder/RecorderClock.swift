import Foundation
import Staty

/// The clocks of a recorder's writer: the wall clock, which may be set, and the events' clock, which only
/// increases.
package struct RecorderClock: Sendable {
  /// Microseconds since 1970.
  package var wall: @Sendable () -> Int64
  /// Nanoseconds of the events' clock.
  package var events: @Sendable () -> UInt64

  /// By default, the system's clocks.
  package init(
    wall: @escaping @Sendable () -> Int64 = {
      Int64(Date().timeIntervalSince1970 * 1_000_000)
    },
    events: @escaping @Sendable () -> UInt64 = { EventSource.clock }
  ) {
    self.wall = wall
    self.events = events
  }

  /// Both clocks at the same moment.
  ///
  /// If the thread is delayed between two readings, they do not belong together. So this takes a few pairs and
  /// returns the closest one.
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
