import StatyHistory
import StatyReplay
import StatySQLite

/// Keeps a history within its limits, a slice at a time, on the writer's thread.
///
/// The oldest events go first: run by run from the beginning of the oldest session, whose controllers
/// are followed so that the file can say where they stood at the cut.
struct Pruning {
  private let retention: Retention
  private let clock: RecorderClock
  private var lastLook: UInt64 = 0
  /// Whether a look has found too much and what is too much is not gone yet.
  private(set) var isUnderWay = false
  /// Whether bytes were found to be too many: then more goes than is too much, so that not every
  /// second a little has to.
  private var isOverBytes = false
  private var fold: (session: Int64, fold: SessionFold)?
  /// How often a cut was put off because a controller was in the midst of something.
  private var postponed = 0

  /// How long nobody looks again, in nanoseconds.
  private static let pause: UInt64 = 1_000_000_000
  /// So many pages of 4,096 bytes are given back at a time.
  private static let pagesAtATime = 256
  /// So many of a session's newest runs of events stay while it records.
  private static let runsKept = 2
  /// A thread may be held up for long while others record; not for this many looks.
  private static let mostPostponed = 8

  init(_ retention: Retention, _ clock: RecorderClock) {
    self.retention = retention
    self.clock = clock
  }

  /// Whether there is a slice to be done: a second after the last look, or at once if that found too
  /// much.
  var isDue: Bool {
    retention != Retention() && (isUnderWay || clock.events() >= lastLook &+ Self.pause)
  }

  /// Does the next slice.
  ///
  /// - Parameters:
  ///   - current: the session that records.
  ///   - settle: records as lost what has no event up to a number, from another number on.
  mutating func step(
    _ writer: HistoryWriter, current: Int64,
    settle: (_ first: Int64, _ last: Int64) throws -> Void
  ) throws {
    lastLook = clock.events()
    // What fails is not tried again before the next look.
    isUnderWay = false
    // One that nobody could end is left alone.
    let sessions = try writer.sessions().filter { $0.id == current || $0.ended != .open }
    for wanted in try wanted(sessions, current, writer) {
      isUnderWay = try remove(wanted, of: sessions[0], current, writer, settle)
      if isUnderWay { return }
    }
    isUnderWay = try giveBack(writer)
  }

  /// Does all that is left, as far as there is time; the next recorder does the rest.
  mutating func finish(
    _ writer: HistoryWriter, current: Int64, atMost limit: Duration,
    settle: (_ first: Int64, _ last: Int64) throws -> Void
  ) throws {
    guard retention != Retention() else { return }
    let end = ContinuousClock.now + limit
    // Whoever is in the midst of something now stays so.
    postponed = Self.mostPostponed
    repeat {
      try step(writer, current: current, settle: settle)
      postponed = Self.mostPostponed
    } while isUnderWay && ContinuousClock.now < end
    fold = nil
    postponed = 0
  }
}

// MARK: What is too much

extension Pruning {
  /// What is to go next of the oldest session.
  private enum Wanted {
    case whole
    case beginning
    /// What happened before this time of its own.
    case before(Int64)
  }

  /// The limits that the oldest session is beyond.
  private mutating func wanted(
    _ sessions: [SessionRecord], _ current: Int64, _ writer: HistoryWriter
  ) throws -> [Wanted] {
    guard let oldest = sessions.first else { return [] }
    var wanted: [Wanted] = []
    if let most = retention.sessions, sessions.count > most, oldest.id != current {
      return [.whole]
    }
    if let before = retention.tooOld(in: oldest, clock) {
      if before > oldest.lastTime, oldest.id != current { return [.whole] }
      if before > oldest.cut?.time ?? 0 { wanted.append(.before(before)) }
    }
    guard let bytes = retention.bytes.map(Int64.init) else { return wanted }
    // A sixteenth less than the limit: what comes until the next look has to fit in.
    let threshold = bytes - bytes / (isOverBytes ? 8 : 16)
    isOverBytes = try writer.usedBytes() > threshold
    return isOverBytes ? wanted + [.beginning] : wanted
  }
}

extension Retention {
  /// The time of a session before which all is too old; none if nothing ever is.
  fileprivate func tooOld(in session: SessionRecord, _ clock: RecorderClock) -> Int64? {
    // The session's own clock, as far as the wall clock was not set.
    age.map { clock.wall() &- $0.wholeMicroseconds &- session.wallTime }
  }

  /// Whether a session goes whole, however many others there are and however many bytes.
  func leavesNothing(of session: SessionRecord, _ clock: RecorderClock) -> Bool {
    guard session.ended != .open else { return false }
    return sessions == 0 || tooOld(in: session, clock).map { $0 > session.lastTime } ?? false
  }
}

extension Duration {
  fileprivate var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000)
    return isTooLong ? .max : whole &+ attoseconds / 1_000_000_000_000
  }
}

// MARK: Removing

extension Pruning {
  /// Removes a slice of a session.
  ///
  /// - Returns: whether something went, so that there may be more to go.
  private mutating func remove(
    _ wanted: Wanted, of session: SessionRecord, _ current: Int64, _ writer: HistoryWriter,
    _ settle: (_ first: Int64, _ last: Int64) throws -> Void
  ) throws -> Bool {
    let isCurrent = session.id == current
    guard
      let run = try writer.oldest(session: session.id, keeping: isCurrent ? Self.runsKept : 1)
    else {
      if case .before = wanted { return false }
      guard !isCurrent, session.ended != .open else { return false }
      fold = nil
      try writer.remove(session: session.id)
      return true
    }
    let reader = try writer.reader()
    if case .before(let time) = wanted, try reader.time(of: run.upperBound, session) >= time {
      return false
    }
    try settle(run.lowerBound, run.upperBound)
    let insists = !isCurrent || postponed >= Self.mostPostponed
    guard try cut(run, of: session.id, writer, reader, insists: insists) else {
      postponed += 1
      return false
    }
    postponed = 0
    return true
  }

  private mutating func cut(
    _ run: ClosedRange<Int64>, of session: Int64, _ writer: HistoryWriter, _ reader: HistoryReader,
    insists: Bool
  ) throws -> Bool {
    // Taken out: if this fails, it stands where the file does not, and is made anew.
    let known = fold.flatMap { $0.session == session ? $0.fold : nil }
    fold = nil
    var now = try known ?? SessionFold(reader, session: session)
    guard let controllers = try now.advance(reader, through: run.upperBound, insists: insists)
    else { return false }
    try writer.cut(session: session, through: run.upperBound, controllers)
    fold = (session, now)
    return true
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

extension HistoryReader {
  fileprivate func time(of seq: Int64, _ session: SessionRecord) throws -> Int64 {
    try events(session: session.id, from: seq, through: seq).next()?.time ?? .max
  }
}
