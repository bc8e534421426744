import StatyRecorder
import Synchronization

/// Clocks of a recorder that a test can set.
final class Clocks: Sendable {
  private let wallOffset = Atomic<Int64>(0)
  private let eventsOffset = Atomic<UInt64>(0)

  var clock: RecorderClock {
    let system = RecorderClock()
    return RecorderClock(
      wall: { system.wall() + self.wallOffset.load(ordering: .relaxed) },
      events: { system.events() + self.eventsOffset.load(ordering: .relaxed) })
  }

  /// Sets the wall clock forward or back.
  func setWall(by seconds: Int64) {
    wallOffset.wrappingAdd(seconds * 1_000_000, ordering: .relaxed)
  }

  /// Lets time pass for the writer.
  func pass(seconds: UInt64) {
    eventsOffset.wrappingAdd(seconds * 1_000_000_000, ordering: .relaxed)
    setWall(by: Int64(seconds))
  }
}
