import StatyHistory
import StatySQLite

/// Keeps a history within its limits, on the writer's thread.
struct Pruning {
  private let retention: Retention
  private let clock: RecorderClock
  private var lastLook: UInt64 = 0

  /// How long nobody looks again, in nanoseconds.
  private static let pause: UInt64 = 1_000_000_000
  /// So many pages of 4,096 bytes are given back at a time.
  private static let pagesAtATime = 256

  init(_ retention: Retention, _ clock: RecorderClock) {
    self.retention = retention
    self.clock = clock
  }

  /// Whether it is time to look: a second after the last time, and only while events are stored.
  func isDue() -> Bool {
    retention != Retention() && clock.events() >= lastLook &+ Self.pause
  }

  /// Removes the oldest sessions until what is left is within the limits, and gives back room.
  ///
  /// - Parameter current: the session that records, which is never removed.
  mutating func prune(_ writer: HistoryWriter, keeping current: Int64) throws {
    guard retention != Retention() else { return }
    lastLook = clock.events()
    var old = try writer.sessions().filter { $0.id != current && $0.ended != .open }
    let now = clock.wall()
    while let oldest = old.first, try isTooMuch(oldest, of: old.count, writer, now) {
      try writer.remove(session: oldest.id)
      old.removeFirst()
    }
    if let bytes = retention.bytes { try giveBack(downTo: Int64(bytes), writer) }
  }

  private func isTooMuch(
    _ oldest: SessionRecord, of count: Int, _ writer: HistoryWriter, _ now: Int64
  ) throws -> Bool {
    if let sessions = retention.sessions, count + 1 > sessions { return true }
    if let age = retention.age, Duration.microseconds(now &- oldest.wallTime) > age { return true }
    guard let bytes = retention.bytes else { return false }
    return try writer.usedBytes() > Self.threshold(Int64(bytes))
  }

  /// A sixteenth less than the limit: what comes until the next look has to fit in.
  private static func threshold(_ bytes: Int64) -> Int64 { bytes - bytes / 16 }

  private func giveBack(downTo bytes: Int64, _ writer: HistoryWriter) throws {
    guard try writer.fileBytes() > bytes else { return }
    // A log that holds the removal would else hold the giving back too.
    try writer.checkpoint(.passive)
    var size = try writer.fileBytes()
    while size > bytes {
      try writer.giveBack(pages: Self.pagesAtATime)
      let smaller = try writer.fileBytes()
      // Nothing is free, or the file was made without the means.
      if smaller >= size { break }
      size = smaller
    }
    try writer.checkpoint(.passive)
  }
}
