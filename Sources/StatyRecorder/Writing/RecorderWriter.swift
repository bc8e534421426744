import CStatyRing
import Foundation
import Staty
import StatyHistory
import StatySQLite
import Synchronization

/// Reads events from the ring and stores them in the file, on its own thread.
///
/// Each turn takes the app's requests, drains the ring in batches (`RingReader`), gives the numbers of a batch their
/// meaning in the file (`RingTranslator`), lets `HistoryWriter.append` write it, and only then frees its place in the
/// ring. What is neither stored nor in flight is lost (`LossAccount`). Before the first batch it opens the file and
/// recovers the rings of earlier processes (`SessionRecovery`); behind the last, `Pruning` keeps the limits.
final class RecorderWriter {
  let core: RecorderCore
  let requests: WriterRequests
  let path: String
  let oldRings: [String]
  let ring: RingReader
  var writer: HistoryWriter?
  /// Whether a sync had failed when the file was closed, or could not be opened.
  var hasFailedToSync = false
  /// The file that is open or was, to notice that it is not at its path any more.
  var identity: FileIdentity?
  /// The write-ahead log of that file.
  var log: FileIdentity?
  var translator: RingTranslator?
  /// What was followed of the session when the file was closed.
  var following: SessionFollowing?
  /// The notes of names, call sites and controllers, which a replacement for a damaged file needs.
  var introductions = Introductions()
  /// The highest number of a stored event.
  var highestStored: UInt64 = 0
  /// Why the next file has none of the introductions; `nil` if it has them.
  var restartReason: LossReason?
  var hasPrunedAtOpening = false
  /// Whether the ring is gone with the history, so that nothing can be stored any more.
  private(set) var isRingGone = false
  /// Since when the opening waits for old rings.
  var ringsAwaitedSince: UInt64?
  var account = LossAccount()
  var wallClock: WallClockWatch?
  var pruning: Pruning
  var judging: EndJudging
  /// Whether events were stored since the limits were last checked.
  var hasStored = true
  /// The reason why the last attempt to store failed.
  var failure: String?
  /// How many attempts to store have failed in a row.
  private var failures = 0
  /// Whether the ring was empty when it was last drained.
  var isDrained = true
  /// Whether events were stored since the last rest.
  var isBusy = false

  private static let batch = 4_096
  // After a kill, the next launch reads the write-ahead log before it can answer a query: about 300 frames
  // in a millisecond.
  private static let framesBeforeCheckpoint = 500
  // Under load, checkpoints are rarer, because the ring fills during each of them.
  private static let framesUnderPressure = 4_000
  private static let restAtOpening: Duration = .milliseconds(20)
  /// The time between two attempts to store while the recorder is suspended.
  private static let restAfterFailure: Duration = .seconds(10)
  /// The time that opening and closing may spend on pruning.
  static let pruningAtOpening: Duration = .milliseconds(50)
  static let pruningAtClose: Duration = .milliseconds(500)

  init(core: RecorderCore, requests: WriterRequests, path: String, oldRings: [String]) {
    self.core = core
    self.requests = requests
    self.path = path
    self.oldRings = oldRings
    ring = RingReader(of: core.ring)
    pruning = Pruning(
      core.options.retention, core.clock, began: core.ring.session.beganNanoseconds)
    judging = EndJudging(core.clock)
  }

  /// Runs until the recorder is closed.
  func run() {
    makeRingReady()
    // Apps that restore a screen call `lastState(of:)` right after opening. Two connections that read the
    // schema at the same time would delay each other.
    ring.rest(atMost: Self.restAtOpening)
    while let turn = turn() {
      if turn.isSuspended {
        restSuspended(afterFailure: !turn.isStored)
      } else {
        rest(afterFailure: !turn.isStored)
      }
    }
  }

  /// If the disk is full, the ring stays small, and the next rest tries again.
  private func makeRingReady() { try? core.ring.makeReady() }

  /// Stores the events in the ring and performs the requested tasks, without waiting.
  ///
  /// - Returns: whether everything was stored and whether the recorder is suspended; `nil` after closing.
  func turn() -> (isStored: Bool, isSuspended: Bool)? {
    let (tasks, number) = requests.take()
    // Before storing, which on some systems fails if the file was removed. On others it succeeds, but no other
    // process can read the file.
    isRingGone = isFileGone && !core.ring.isAtItsPath
    if isFileGone {
      // Without its ring, another recorder may have begun the file that is there now.
      if !isRingGone {
        if tasks.isClosing { core.ring.stop() }
        leaveFile()
        // The app has deleted its recording: without events, a new file would only have its names.
        if tasks.isOnlyClosing, core.ring.queued == 0,
          core.statistics.inFlight == 0, access(path, F_OK) != 0
        {
          core.ring.close(removingFile: true)
          requests.answer(number, failure: nil, isLast: true)
          return nil
        }
      } else {
        core.gone.store(core.stored.load(ordering: .relaxed), ordering: .releasing)
      }
    }
    let isStored = tasks.isClosing ? storeLast() : storeAll()
    if isStored, !tasks.isClosing { recordLosses() }
    var refusal: String?
    if requests.isPending { refusal = isStored ? perform(tasks) : failure ?? "not stored" }
    if tasks.isClosing {
      // If the file could not be written, the next recorder recovers the ring. The file is closed before the
      // answer, because the app may open it again at once.
      writer = nil
      core.ring.close(removingFile: refusal == nil)
    }
    // If no caller waits, the file stays open until the ring is empty.
    if tasks.isSuspended, requests.isPending || isDrained || !isStored { closeFile() }
    requests.answer(number, failure: refusal, isLast: tasks.isClosing)
    if tasks.isClosing { return nil }
    if isStored { prune() }
    return (isStored, tasks.isSuspended && writer == nil)
  }

  /// Waits for requests while the recorder is suspended, or until half of the ring is full.
  ///
  /// An app can record in the background for hours, for example while it plays audio.
  private func restSuspended(afterFailure: Bool) {
    if afterFailure, !requests.isPending, ring.isFilling {
      ring.pause(atMost: Self.restAfterFailure)
      return
    }
    while !requests.isPending, !ring.isFilling { ring.rest(atMost: .seconds(86_400)) }
  }

  /// Waits for events or requests, unless a caller waits for an answer.
  private func rest(afterFailure: Bool) {
    failures = afterFailure ? failures + 1 : 0
    if requests.isPending { return }
    checkClock()
    makeRingReady()
    ring.touchAhead()
    if !afterFailure, !isDrained || pruning.isUnderWay { return }
    if afterFailure {
      // Each attempt follows the whole session again.
      ring.pause(atMost: .milliseconds(250 << min(failures - 1, 3)))
    } else {
      judge()
      let pause = min(judging.rest, account.rest(at: core.clock.events()))
      if pause == .zero { return }
      // While there are events, the writer polls, so that no thread of the app needs a system call to wake it.
      // It parks after it has found none.
      if !isBusy {
        ring.park(atMost: pause)
        checkClock()
      }
      if !requests.isPending, isBusy || core.ring.queued > 0 {
        ring.rest(atMost: core.options.gathering)
      }
    }
    isBusy = false
  }

  /// Stores the findings that would hold if the session ended now.
  ///
  /// A failure does not stop recording.
  private func judge() {
    guard let writer, let translator else { return }
    if judging.rest == .zero, pruning.length > 0, account.through == core.numbering.last {
      try? continueSession(writer, translator)
    }
    try? judging.work(writer, self.translator?.session ?? translator.session)
    try? copyLog(of: writer, isUnderPressure: false)
  }

  /// Stores the wall clock's time if it was set.
  private func checkClock() {
    let before = wallClock
    // After a failure, earlier events are not stored yet.
    guard failure == nil, let writer, let translator, let anchor = wallClock?.check() else {
      return
    }
    do {
      try writer.addAnchor(
        session: translator.session, time: anchor.time, wallTime: anchor.wallTime)
    } catch {
      wallClock = before
      failure = "\(error)"
    }
  }

  func closeFile() {
    guard let writer else { return }
    try? translator?.storeAliases(writer)
    following = translator.flatMap { writer.following(of: $0.session) }
    try? writer.close()
    // The ring still has the notes of these numbers, so they will be read again.
    if writer.hasUnstoredNumbers { translator?.forgetUnstoredAliases() }
    hasFailedToSync = writer.hasFailedToSync
    self.writer = nil
  }

  /// Whether the file was removed, or replaced by another one.
  var isFileGone: Bool {
    if let identity { return identity.isGone(from: path) }
    // It can be removed while it is opened.
    return writer != nil && access(path, F_OK) != 0
  }

  /// Closes the file that is gone, so that a new history is begun.
  private func leaveFile() {
    // As long as the log is open, no other file has its identity.
    let hasLog = writer != nil && log != nil && FileIdentity(at: path + "-wal") == log
    closeFile()
    if hasLog {
      // Otherwise SQLite would take it for the log of the file that is there now.
      unlink(path + "-wal")
      unlink(path + "-shm")
    }
    startOver(because: .removed)
  }
}

// MARK: Storing

extension RecorderWriter {
  /// Stores the events in the ring, and those that arrive meanwhile.
  ///
  /// If a caller waits for an answer, it stores only the events that were in the ring at the beginning,
  /// because producers may be as fast as the writer.
  ///
  /// - Returns: whether it succeeded. If not, the events stay in the ring, and the writer tries again later.
  private func storeAll() -> Bool {
    do {
      let writer = try openFile()
      let last = core.numbering.last
      while true {
        let batch = ring.drain(upTo: Self.batch)
        isDrained = batch.isEmpty
        if batch.isEmpty { break }
        let late = try store(batch, writer)
        introductions.take(batch)
        highestStored = max(highestStored, batch.highestNumber)
        judging.noteStored()
        hasStored = true
        isBusy = true
        ring.release(batch, keepingNotes: translator?.awaitsRecords ?? false)
        // After the release, so that no event is counted both as queued and as stored.
        core.stored.wrappingAdd(UInt64(batch.records.count), ordering: .releasing)
        core.gone.wrappingAdd(UInt64(late), ordering: .releasing)
        ring.touchAhead()
        // The reader takes the lowest number first. So when a batch begins above `last`, all records that
        // were in the ring at the beginning are stored.
        if requests.isPending, batch.firstNumber ?? .max > last { break }
        // Prune in time, even if producers are as fast as the writer.
        if pruning.isDue, !requests.isPending { break }
        try copyLog(of: writer, isUnderPressure: batch.records.count == Self.batch)
      }
      failure = nil
      return true
    } catch {
      failure = "\(error)"
      if writer == nil, !(error is RingError) { HistoryPlace.removeOldestRings(of: path) }
      // Only once: on a broken disk, each new file would be damaged too.
      return DamagedHistory.isReported(by: error) && setAside() ? storeAll() : false
    }
  }

  /// Copies the write-ahead log into the file if it is long.
  func copyLog(of writer: HistoryWriter, isUnderPressure: Bool) throws {
    let frames = writer.framesInLog
    if isUnderPressure {
      if frames > Self.framesUnderPressure { try writer.checkpoint(.passive) }
    } else if frames > 2 * Self.framesBeforeCheckpoint {
      try writer.cutLog()
    } else if frames > Self.framesBeforeCheckpoint {
      try writer.checkpoint(.passive)
    }
  }

  /// - Returns: the number of records that came too late to be stored.
  private func store(_ batch: RingBatch, _ writer: HistoryWriter) throws -> Int {
    guard var translator else { return 0 }
    // Moved to a local variable, so that its tables are changed in place and not copied. Moved back even
    // after a failure, because the names in its tables stay stored.
    self.translator = nil
    defer { self.translator = translator }
    try translator.apply(batch.entries, writer)
    try translator.storeAliases(writer)
    guard !batch.records.isEmpty else { return 0 }
    var details: [EventDetail] = []
    let records = belonging(batch.records, to: translator)
    let rows = records.map { translator.translate($0, &details) }
    let session = translator.session
    let observed = translator.observed(core.ring.counters.highestDrawn)
    do {
      try rows.withUnsafeBufferPointer { rows in
        _ = try writer.append(rows, details: details, to: session, observed: observed)
      }
    } catch {
      // The records will be read again, but their notes may not.
      translator.restore(details)
      throw error
    }
    return batch.records.count - records.count
  }

  /// The records without those that come after their session was continued, in which they count as lost.
  private func belonging(
    _ records: [RingRecord], to translator: RingTranslator
  ) -> [RingRecord] {
    let drawn = UInt64(clamping: translator.point.drawn)
    guard records.contains(where: { $0.number <= drawn }) else { return records }
    return records.filter { $0.number > drawn }
  }

  /// Ends recording, and stores the events in the ring, including those that threads are just putting.
  private func storeLast() -> Bool {
    core.ring.stop()
    for _ in 0..<100 {
      guard storeAll() else { return false }
      if core.statistics.inFlight == 0 { break }
      usleep(100)
    }
    return true
  }

  /// Deletes the oldest session, or a part of the free space, if a limit is exceeded and it is time to check.
  ///
  /// An idle recorder deletes nothing.
  private func prune() {
    guard let writer, let translator, hasStored || pruning.isUnderWay, pruning.isDue else { return }
    hasStored = false
    do {
      try pruning.step(writer, current: translator.session)
    } catch {
      failure = "\(error)"
    }
    if writer.framesInLog > Self.framesBeforeCheckpoint { _ = try? writer.checkpoint(.passive) }
  }

  /// Stores which events were lost, if none is in flight: then every number without an event is lost.
  private func recordLosses() {
    let losses = core.losses
    let statistics = core.statistics
    guard let writer, let translator, statistics.observed > account.through else { return }
    do {
      guard statistics.inFlight == 0, statistics.queued == 0,
        statistics.lost == losses.total &+ core.gone.load(ordering: .relaxed)
      else {
        if isDrained { try giveUpOverdue(statistics.observed, losses, writer, translator) }
        return
      }
      let new = account.new(of: losses)
      // A failure is not retried at once.
      account.forgetInFlight()
      if new.total > 0 {
        try recordMissing(through: statistics.observed, writer, translator, new.reason)
      }
      account.settle(through: statistics.observed, losses)
      introductions.forgetEnded()
      self.translator?.forgetDetails()
      ring.releaseNotes()
      if pruning.length > 1 { try continueSession(writer, translator) }
    } catch {
      failure = "\(error)"
    }
  }

  /// Stores events as lost that are in flight for a minute.
  ///
  /// The app's code for a payload can block a thread forever. If such an event arrives later, it is stored, and
  /// the loss is removed.
  ///
  /// - Parameters:
  ///   - last: the last number that is drawn now.
  ///   - losses: the losses up to that number.
  private func giveUpOverdue(
    _ last: UInt64, _ losses: LossCounts, _ writer: HistoryWriter, _ translator: RingTranslator
  ) throws {
    if let old = account.overdue(last, losses, at: core.clock.events()) {
      let new = account.new(of: old.losses)
      let missing = try recordMissing(through: old.number, writer, translator, new.reason)
      if missing > new.total { account.hasGivenUp = true }
      // A late event needs its detail, so those that are given up now are kept for another minute.
      self.translator?.forgetDetails(through: account.through)
      introductions.forgetEnded()
      account.settle(through: old.number, old.losses)
    }
    if account.hasGivenUp, pruning.length > 1 { try continueSession(writer, translator) }
  }

  /// Stores the numbers that are neither stored nor recorded as lost, and returns how many there are.
  @discardableResult
  func recordMissing(
    through last: UInt64, _ writer: HistoryWriter, _ translator: RingTranslator,
    _ reason: (Int64) -> String
  ) throws -> UInt64 {
    // If the newest events are lost, no stored event shows the last number.
    try writer.append(
      UnsafeBufferPointer(start: nil, count: 0), to: translator.session,
      observed: translator.observed(last))
    let missing = try writer.recordMissing(
      from: translator.seq(account.through + 1), through: translator.seq(last), reason: reason)
    return UInt64(clamping: missing)
  }
}
