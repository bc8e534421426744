import Staty
import StatyHistory
import StatySQLite

/// Keeps a history within its limits, a session at a time, on the writer's thread.
///
/// Sessions are deleted whole, the oldest first; never the one that records, nor one that has not
/// ended. So one that records for long has to be continued in another.
struct Pruning {
  private let retention: Retention
  private let clock: RecorderClock
  private var lastLook: UInt64 = 0
  /// Whether a look has found too much and what is too much is not gone yet.
  private(set) var isUnderWay = false
  /// Whether bytes were found to be too many: then more goes than is too much, so that not every
  /// second a little has to.
  private var isOverBytes = false
  /// How many times as long as it should be the session that records is: from 1 on another one should
  /// continue it as soon as nothing happens, from 2 on at once.
  private(set) var length = 0
  /// How many bytes the file has grown by since the session began.
  private var grownBytes: Int64 = 0
  private var lastBytes: Int64?
  /// The session that was measured last, and when that was done first.
  private var measured: (session: Int64, since: UInt64) = (0, 0)

  /// A session is long when it takes this part of what is kept.
  private static let longPart = 8
  /// How long it is until the next look, in nanoseconds.
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
    try measure(sessions.last, writer)
    if let oldest = sessions.first, oldest.id != current,
      try isTooMuch(oldest, of: Set(sessions.map { $0.run ?? $0.uuid }).count, writer)
    {
      try writer.remove(session: oldest.id)
      isUnderWay = true
    } else {
      isUnderWay = try giveBack(writer)
    }
  }

  /// Looks how long the session that records has become.
  private mutating func measure(_ current: SessionRecord?, _ writer: HistoryWriter) throws {
    guard let current else { return }
    if current.id != measured.session {
      measured = (current.id, clock.events())
      (length, grownBytes) = (0, 0)
    }
    if let bytes = retention.bytes {
      let used = try writer.usedBytes()
      grownBytes += max(0, used - (lastBytes ?? used))
      lastBytes = used
      noteLong(Int(grownBytes / Int64(max(1, bytes / Self.longPart))))
    }
    if let age = retention.age {
      let part = UInt64(max(1, age.inMicroseconds / Int64(Self.longPart)))
      noteLong(Int(clamping: (clock.events() &- measured.since) / 1_000 / part))
    }
  }

  /// The session that records is so many times as long as it should be.
  mutating func noteLong(_ times: Int) { length = max(length, times) }

  /// Another session continues it.
  mutating func noteContinued() { length = 0 }

  /// Does the rest until the time is over; the next recorder goes on.
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
    // By the session's own clock; the wall clock may have been set.
    return clock.wall() &- age.inMicroseconds &- session.wallTime > session.lastTime
  }

  /// Whether a session goes, however many others there are and however many bytes.
  func leavesNothing(of session: SessionRecord, _ clock: RecorderClock) -> Bool {
    session.ended != .open && (sessions == 0 || isTooOld(session, clock))
  }
}
