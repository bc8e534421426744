import StatyHistory
import StatySQLite

/// Keeps a history within its limits, a session at a time, on the writer's thread.
///
/// Sessions are deleted whole, the oldest first; never the one that records, nor one that has not
/// ended.
struct Pruning {
  private let retention: Retention
  private let clock: RecorderClock
  private var lastLook: UInt64 = 0
  /// Whether a look has found too much and what is too much is not gone yet.
  private(set) var isUnderWay = false
  /// Whether bytes were found to be too many: then more goes than is too much, so that not every
  /// second a little has to.
  private var isOverBytes = false

  /// How long nobody looks again, in nanoseconds.
  private static let pause: UInt64 = 1_000_000_000
  /// So many pages of 4,096 bytes are given back at a time.
  private static let pagesAtATime = 256

  init(_ retention: Retention, _ clock: RecorderClock) {
    self.retention = retention
    self.clock = clock
  }

  /// Whether there is something to be done: a second after the last look, or at once if that found
  /// too much.
  var isDue: Bool {
    retention != Retention() && (isUnderWay || clock.events() >= lastLook &+ Self.pause)
  }

  /// Deletes the oldest session if that is too much, or gives room back.
  ///
  /// - Parameter current: the session that records.
  mutating func step(_ writer: HistoryWriter, current: Int64) throws {
    lastLook = clock.events()
    // What fails is not tried again before the next look.
    isUnderWay = false
    let sessions = try writer.sessions().filter { $0.id == current || $0.ended != .open }
    if let oldest = sessions.first, oldest.id != current,
      try isTooMuch(oldest, of: sessions.count, writer)
    {
      try writer.remove(session: oldest.id)
      isUnderWay = true
    } else {
      isUnderWay = try giveBack(writer)
    }
  }

  /// Does all that is left, as far as there is time; the next recorder does the rest.
  mutating func finish(
    _ writer: HistoryWriter, current: Int64, atMost limit: Duration
  ) throws {
    guard retention != Retention() else { return }
    let end = ContinuousClock.now + limit
    repeat {
      try step(writer, current: current)
    } while isUnderWay && ContinuousClock.now < end
  }

  /// Whether a limit is passed while the oldest session is there.
  private mutating func isTooMuch(
    _ oldest: SessionRecord, of count: Int, _ writer: HistoryWriter
  ) throws -> Bool {
    if let most = retention.sessions, count > most { return true }
    if retention.isTooOld(oldest, clock) { return true }
    guard let bytes = retention.bytes.map(Int64.init) else { return false }
    // A sixteenth less than the limit: what comes until the next look has to fit in.
    let threshold = bytes - bytes / (isOverBytes ? 8 : 16)
    isOverBytes = try writer.usedBytes() > threshold
    return isOverBytes
  }

  /// Gives some of the room back that is free, if the file has more than it may.
  ///
  /// - Returns: whether there may be more to give back.
  private func giveBack(_ writer: HistoryWriter) throws -> Bool {
    guard let bytes = retention.bytes.map(Int64.init), try writer.fileBytes() > bytes else {
      return false
    }
    // A log that holds the removal would else hold the giving back too.
    try writer.checkpoint(.passive)
    let size = try writer.fileBytes()
    try writer.giveBack(pages: Self.pagesAtATime)
    let smaller = try writer.fileBytes()
    if smaller <= bytes || smaller >= size { try writer.checkpoint(.passive) }
    // Nothing is free, or the file was made without the means.
    return smaller > bytes && smaller < size
  }
}

extension Retention {
  /// Whether the last event of a session is too old.
  fileprivate func isTooOld(_ session: SessionRecord, _ clock: RecorderClock) -> Bool {
    guard let age else { return false }
    // The session's own clock, as far as the wall clock was not set.
    return clock.wall() &- age.wholeMicroseconds &- session.wallTime > session.lastTime
  }

  /// Whether a session goes, however many others there are and however many bytes.
  func leavesNothing(of session: SessionRecord, _ clock: RecorderClock) -> Bool {
    session.ended != .open && (sessions == 0 || isTooOld(session, clock))
  }
}

extension Duration {
  fileprivate var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000)
    return isTooLong ? .max : whole &+ attoseconds / 1_000_000_000_000
  }
}
