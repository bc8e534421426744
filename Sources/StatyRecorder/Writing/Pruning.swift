import Staty
import StatyHistory
import StatySQLite

/// Keeps a history within its limits by deleting the oldest sessions, one in each step, on the writer's
/// thread.
///
/// It deletes whole sessions, but never the recording session or one that has not ended. So the recorder
/// continues a long session in a new one.
struct Pruning {
  private let retention: Retention
  private let clock: RecorderClock
  /// When the process began to record, on the events' clock; none in a tool, whose clock is trusted.
  private let began: UInt64?
  private var lastCheck: UInt64 = 0
  /// Whether a limit is exceeded and more has to be deleted.
  private(set) var isUnderWay = false
  /// Whether the limit in bytes is exceeded.
  ///
  /// Then pruning deletes more than necessary, so that it need not delete a little every second.
  private var isOverBytes = false
  /// How many times the recording session has reached its intended length.
  ///
  /// From 1 on, it should be continued in a new session as soon as the app is idle; from 2 on, at once.
  private(set) var length = 0
  /// Whether it has to end whatever is open: it takes half of what is kept.
  var isUrgent: Bool { length >= Self.longPart / 2 }
  /// The bytes by which the file has grown since the session began.
  private var grownBytes: Int64 = 0
  private var lastBytes: Int64?
  /// The recording session, and when it was measured first.
  private var measured: (session: Int64, since: UInt64) = (0, 0)

  /// The intended length of a session is the limit divided by this.
  private static let longPart = 8
  /// The time between two checks of the limits, in nanoseconds.
  private static let pause: UInt64 = 1_000_000_000
  /// The pages of 4,096 bytes that one step gives back to the file system.
  private static let pagesAtATime = 256

  init(_ retention: Retention, _ clock: RecorderClock, began: UInt64? = nil) {
    self.retention = retention
    self.clock = clock
    self.began = began
  }

  /// Whether to call `step`: a second after the last check, or at once while a limit is exceeded.
  var isDue: Bool {
    retention != Retention() && (isUnderWay || clock.events() >= lastCheck &+ Self.pause)
  }

  /// Deletes the oldest session if a limit is exceeded; otherwise gives back free space.
  ///
  /// - Parameter current: the recording session.
  mutating func step(_ writer: HistoryWriter, current: Int64) throws {
    lastCheck = clock.events()
    // Set first, so that a failure is not retried at once.
    isUnderWay = false
    let sessions = try writer.sessions().filter { $0.id == current || $0.ended != .open }
    try measure(sessions.last, writer)
    if let oldest = sessions.first, oldest.id != current,
      try exceedsLimit(oldest, of: sessions, writer)
    {
      try writer.remove(session: oldest.id)
      isUnderWay = true
    } else {
      isUnderWay = try giveBack(writer)
    }
  }

  /// Updates the length of the recording session.
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
      noteLength(Int(grownBytes / Int64(max(1, bytes / Self.longPart))))
    }
    if let age = retention.age {
      let part = UInt64(max(1, age.inMicroseconds / Int64(Self.longPart)))
      noteLength(Int(clamping: (clock.events() &- measured.since) / 1_000 / part))
    }
  }

  /// Call it when the recording session has this many times its intended length.
  mutating func noteLength(_ times: Int) { length = max(length, times) }

  /// Call it when the session was continued in a new one.
  mutating func noteContinued() { length = 0 }

  /// Steps until the limits are met or the time is over.
  ///
  /// The next recorder does the rest.
  mutating func finish(
    _ writer: HistoryWriter, current: Int64, atMost limit: Duration
  ) throws {
    guard retention != Retention() else { return }
    let end = ContinuousClock.now + limit
    repeat {
      try step(writer, current: current)
    } while isUnderWay && ContinuousClock.now < end
  }

  /// Whether the oldest session has to be deleted.
  private mutating func exceedsLimit(
    _ oldest: SessionRecord, of sessions: [SessionRecord], _ writer: HistoryWriter
  ) throws -> Bool {
    if let limit = retention.sessions, Set(sessions.map(\.process)).count > limit { return true }
    if let age = retention.age?.inMicroseconds,
      SessionAges(sessions, clock, began).isOlder(oldest, than: age)
    {
      return true
    }
    // The newest session stays, however large it is.
    guard let bytes = retention.bytes.map(Int64.init), sessions.count > 1 else { return false }
    // A sixteenth below the limit, because the file grows until the next check.
    let threshold = bytes - bytes / (isOverBytes ? 8 : 16)
    isOverBytes = try writer.usedBytes() > threshold
    return isOverBytes
  }

  /// Gives some free pages back to the file system, if the file is larger than its limit.
  ///
  /// - Returns: whether there may be more free pages.
  private func giveBack(_ writer: HistoryWriter) throws -> Bool {
    guard let bytes = retention.bytes.map(Int64.init), try writer.fileBytes() > bytes else {
      return false
    }
    // Otherwise the pages stay in the write-ahead log, and the file does not become smaller.
    try writer.checkpoint(.passive)
    let size = try writer.fileBytes()
    try writer.giveBack(pages: Self.pagesAtATime)
    let smaller = try writer.fileBytes()
    if smaller <= bytes || smaller >= size { try writer.checkpoint(.passive) }
    // If it is not smaller, no page is free, or the file was created without `auto_vacuum`.
    return smaller > bytes && smaller < size
  }
}

extension Retention {
  /// Whether all of these sessions have to be deleted, whatever their size.
  func leavesNothing(of sessions: [SessionRecord], _ clock: RecorderClock) -> Bool {
    let ages = SessionAges(sessions, clock, nil)
    return sessions.allSatisfy { session in
      session.ended != .open
        && (self.sessions == 0
          || age.map { ages.isOlder(session, than: $0.inMicroseconds) } ?? false)
    }
  }
}

/// How old the sessions of a history are.
///
/// A wrong wall clock must not delete a good recording. So a recorder does not take the word of its own launch
/// alone: an age counts only as far as the launch before had come, and as this one has lasted.
private struct SessionAges {
  private let sessions: [SessionRecord]
  private let now: Int64
  /// How long this process has recorded; none in a tool, whose clock is trusted.
  private let lasted: Int64?

  /// The beginning of 2024: no recording is older, so an earlier time is that of a clock that was never set.
  private static let earliest: Int64 = 1_704_067_200_000_000

  /// - Parameters:
  ///   - sessions: those of the history in their order; the last one is recording, unless `began` is none.
  ///   - began: when this process began to record.
  init(_ sessions: [SessionRecord], _ clock: RecorderClock, _ began: UInt64?) {
    self.sessions = sessions
    now = clock.wall()
    lasted = began.map { Int64(clamping: (clock.events() &- $0) / 1_000) }
  }

  /// Whether the last event of a session is older than this, in microseconds.
  func isOlder(_ session: SessionRecord, than age: Int64) -> Bool {
    guard let end = end(of: session), now &- age > end else { return false }
    guard let lasted, let current = sessions.last?.process else { return true }
    if session.process == current { return lasted > age }
    guard let before = lastEnd(before: current) else { return false }
    return before &+ lasted &- age > end
  }

  /// The wall clock at the last event of the launch before this one.
  ///
  /// A launch whose own clock was never set says nothing, and neither does one whose clock was ahead of this
  /// launch's: otherwise it would speak for each wrong clock that comes later.
  private func lastEnd(before current: String) -> Int64? {
    sessions.filter { $0.process != current && $0.wallTime >= Self.earliest }
      .map { $0.wallTime &+ $0.lastTime }.last { $0 <= now }
  }

  /// The wall clock at a session's last event: on the session's own clock, because the wall clock may have been
  /// set.
  ///
  /// If that clock was never set, it is the beginning of the next session; none if there is no such session.
  private func end(of session: SessionRecord) -> Int64? {
    if session.wallTime >= Self.earliest { return session.wallTime &+ session.lastTime }
    return sessions.first { $0.firstSeq > session.firstSeq && $0.wallTime >= Self.earliest }?
      .wallTime
  }
}

extension SessionRecord {
  /// The name of the process that recorded it.
  fileprivate var process: String { run ?? uuid }
}
