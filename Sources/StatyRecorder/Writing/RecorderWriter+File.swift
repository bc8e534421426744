import Foundation
import StatyHistory
import StatyRules
import StatySQLite
import Synchronization

// Opening the file, recovering old rings, and replacing a damaged file.
extension RecorderWriter {
  /// Returns the open file; opens it and begins the session if that was not done.
  func openFile() throws -> HistoryWriter {
    if isRingGone {
      throw RecorderError.system(
        path: path, doing: "opening",
        reason: "the history and its ring were removed; open a new recorder")
    }
    if let writer { return writer }
    // It may have come since the recorder was opened.
    try HistoryPlace.checkJournal(of: path)
    var settings = WritingSettings()
    settings.isExclusive = core.options.isExclusive
    let writer = try HistoryWriter(path: path, settings: settings)
    writer.hasFailedToSync = hasFailedToSync
    defer {
      // SQLite copies the log of a file that is closed, but does not report errors.
      if self.writer == nil { _ = try? writer.checkpoint(.passive) }
      hasFailedToSync = writer.hasFailedToSync
    }
    cutLongLog(writer)
    writer.judge()
    if let translator, try !hasSession(translator.session, writer) { startOver(because: .removed) }
    if let translator {
      try writer.resume(session: translator.session)
      if let following { try writer.goOn(following, with: translator.session) }
      following = nil
    } else {
      try recoverOldRings(writer)
      // Set at once, so that a second attempt does not begin another session.
      translator = try translator(of: begunSession(writer) ?? beginSession(writer))
      let mark = core.ring.session
      wallClock = WallClockWatch(
        core.clock, began: mark.beganNanoseconds, wall: Int64(mark.wallMicroseconds))
    }
    if let translator, !hasPrunedAtOpening {
      try pruning.finish(writer, current: translator.session, atMost: Self.pruningAtOpening)
      hasPrunedAtOpening = true
    }
    try repeatIntroductions(writer)
    FileProtection.protect(history: path)
    (identity, log) = (FileIdentity(at: path), FileIdentity(at: path + "-wal"))
    self.writer = writer
    return writer
  }

  /// Cuts the log before anything is stored, if earlier launches were killed before they could.
  ///
  /// Every launch has to read the whole log first. If the log went on growing, none would live long enough to store
  /// anything.
  private func cutLongLog(_ writer: HistoryWriter) {
    var status = stat()
    guard stat(path + "-wal", &status) == 0, status.st_size > Self.longLogBytes else { return }
    // Events can be stored without it.
    try? writer.cutLog()
  }

  /// The log of a recorder under load may be as long, too.
  static let longLogBytes = 2 * WritingSettings.shortLogBytes

  /// Whether the file has the session of this number, and it is not that of another process.
  private func hasSession(_ session: Int64, _ writer: HistoryWriter) throws -> Bool {
    try writer.sessions(ofRun: core.ring.session.uuid).contains { $0.id == session }
  }

  private func recoverOldRings(_ writer: HistoryWriter) throws {
    var recovery = SessionRecovery(writer: writer)
    recovery.kept = try begunSession(writer)?.id
    var rings: [(path: String, ring: RecoveredRing)] = []
    var unreadable: [String] = []
    var isOneInUse = false
    for path in oldRings {
      do throws(RingError) {
        let ring = try Self.oldRing(at: path)
        rings.append((path, ring))
      } catch .missing {
        // It was recovered at an earlier attempt.
      } catch {
        try waitForRing(after: error)
        if let end = FlightRing.end(path: path) { recovery.ends[end.session] = end.ended }
        // Its process is running.
        if case .inUse = error {
          isOneInUse = true
          continue
        }
        unreadable.append(path)
      }
    }
    for (path, ring) in try recovery.inOrder(rings) {
      recovery.ends[ring.session.uuid] = ring.ended
      do {
        guard try recovery.recover(ring) else {
          unreadable.append(path)
          continue
        }
        try ring.remove(at: path)
        try? copyLog(of: writer, isUnderPressure: false)
      } catch let error as RingError {
        try waitForRing(after: error)
        unreadable.append(path)
        continue
      }
      try recovery.forget(ring)
    }
    try recovery.closeOthers()
    if !isOneInUse { try recovery.forgetRemoved() }
    // After the sessions have ended: a kill in between must not lose how.
    for path in unreadable { UnreadableRing.setAside(path, of: self.path) }
  }

  /// Lets the opening fail if a ring may be readable at one of the next attempts.
  ///
  /// Without the ring, its session would end without its last events. Meanwhile the events of this session wait
  /// in its own ring.
  private func waitForRing(after error: RingError) throws {
    guard error.isMomentary else { return }
    let now = core.clock.events()
    let since = ringsAwaitedSince ?? now
    ringsAwaitedSince = since
    if now &- since < Self.mostRingWait { throw error }
  }

  /// The time after which an old ring is given up, in nanoseconds.
  private static let mostRingWait: UInt64 = 60_000_000_000

  /// The ring of a process that ended.
  ///
  /// The process that moved the ring may hold its lock for another moment. This waits for it.
  private static func oldRing(at path: String) throws(RingError) -> RecoveredRing {
    for _ in 0..<100 {
      do throws(RingError) {
        return try FlightRing.recover(path: path)
      } catch .inUse {
        usleep(10_000)
      }
    }
    return try FlightRing.recover(path: path)
  }

  /// The session that an attempt began that failed afterwards.
  private func begunSession(_ writer: HistoryWriter) throws -> SessionRecord? {
    let last = try writer.sessions(ofRun: core.ring.session.uuid).last
    // Behind another session it would have to share that one's numbers.
    guard let last, last.uuid == core.ring.session.uuid, last.ended == .open, last.observed == 0,
      last.lastOwnSeq == .max
    else { return nil }
    return last
  }

  private func translator(of session: SessionRecord) -> RingTranslator {
    RingTranslator(
      session: session.id, firstSeq: session.firstSeq,
      began: core.ring.session.beganNanoseconds)
  }

  private func beginSession(_ writer: HistoryWriter) throws -> SessionRecord {
    let mark = core.ring.session
    var opening = SessionOpening(
      uuid: mark.uuid, app: core.options.app, appVersion: core.options.appVersion,
      os: mark.process.os, pid: ProcessInfo.processInfo.processIdentifier,
      wallTime: Int64(mark.wallMicroseconds))
    // A copy of the file, which was put in its place, may have the beginning of the session.
    if try !writer.sessions(ofRun: mark.uuid).isEmpty {
      (opening.uuid, opening.run) = (UUID().uuidString.lowercased(), mark.uuid)
    }
    return try writer.session(writer.beginSession(opening))
  }

  /// Renames the damaged file, so that the next attempt creates a new one.
  ///
  /// - Returns: whether it was renamed; false the second time.
  func setAside() -> Bool {
    guard core.damagedHistory == nil else { return false }
    closeFile()
    guard let new = DamagedHistory.setAside(path) else { return false }
    core.damagedHistory = new
    startOver(because: .setAside)
    return true
  }

  /// Makes the next opening begin a session in another file.
  ///
  /// The events in the file that was open count as lost.
  func startOver(because reason: LossReason) {
    core.gone.store(core.stored.load(ordering: .relaxed), ordering: .releasing)
    (translator, following) = (nil, nil)
    account.forgetInFlight()
    (identity, log) = (nil, nil)
    hasFailedToSync = false
    // The translator had the notes of records that were not stored yet. The ring still has them.
    ring.readNotesAgain()
    restartReason = restartReason ?? reason
    pruning = Pruning(
      core.options.retention, core.clock, began: core.ring.session.beganNanoseconds)
    judging = EndJudging(core.clock)
  }

  /// Stores the introductions in the file that takes the place of another one, and records the events in that
  /// one as lost.
  private func repeatIntroductions(_ writer: HistoryWriter) throws {
    guard let reason = restartReason, var translator else { return }
    try translator.apply(introductions.entries, writer)
    try translator.storeAliases(writer)
    // The numbers behind the highest stored one may be those of losses.
    let last = max(highestStored, account.through)
    try writer.append(
      UnsafeBufferPointer(start: nil, count: 0), to: translator.session,
      observed: translator.observed(last))
    try writer.recordMissing(
      from: translator.seq(1), through: translator.seq(last), reason: { _ in reason.rawValue })
    account.settle(through: last)
    self.translator = translator
    restartReason = nil
  }
}
