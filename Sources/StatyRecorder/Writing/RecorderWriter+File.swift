import Foundation
import StatyHistory
import StatyRules
import StatySQLite

// Opening the file, recovering old rings, and replacing a damaged file.
extension RecorderWriter {
  /// Returns the open file; opens it and begins the session if that was not done.
  func openFile() throws -> HistoryWriter {
    if let writer { return writer }
    var settings = WritingSettings()
    settings.isExclusive = core.options.isExclusive
    let writer = try HistoryWriter(path: path, settings: settings)
    writer.hasFailedToSync = hasFailedToSync
    writer.judge()
    if let translator {
      try writer.resume(session: translator.session)
      if let following { try writer.goOn(following, with: translator.session) }
      following = nil
    } else {
      try recoverOldRings(writer)
      // Set at once, so that a second attempt does not begin another session.
      translator = try beginSession(writer)
      let mark = core.ring.session
      wallClock = WallClockWatch(
        core.clock, began: mark.beganNanoseconds, wall: Int64(mark.wallMicroseconds))
    }
    if let translator, !hasPrunedAtOpening {
      try prune(writer, translator.session, atMost: Self.pruningAtOpening)
      hasPrunedAtOpening = true
    }
    try repeatIntroductions(writer)
    FileProtection.protect(history: path)
    identity = FileIdentity(at: path)
    self.writer = writer
    return writer
  }

  private func recoverOldRings(_ writer: HistoryWriter) throws {
    let recovery = SessionRecovery(writer: writer)
    // A file that is not a ring, or a newer ring, stays where it is.
    let rings = oldRings.compactMap { path in
      Self.oldRing(at: path).map { (path: path, ring: $0) }
    }
    for (path, ring) in try recovery.inOrder(rings) where try recovery.recover(ring) {
      try ring.remove(at: path)
      try recovery.forget(ring)
    }
    try recovery.closeOthers()
  }

  /// The ring of a process that ended; `nil` if it cannot be read.
  ///
  /// The process that moved the ring may hold its lock for another moment. This waits for it: without the
  /// ring, the session would end without its last events.
  private static func oldRing(at path: String) -> RecoveredRing? {
    for _ in 0..<100 {
      do throws(RingError) {
        return try FlightRing.recover(path: path)
      } catch {
        guard case .inUse = error else { return nil }
        usleep(10_000)
      }
    }
    return nil
  }

  private func beginSession(_ writer: HistoryWriter) throws -> RingTranslator {
    let mark = core.ring.session
    let id = try writer.beginSession(
      SessionOpening(
        uuid: mark.uuid, app: core.options.app, appVersion: core.options.appVersion,
        os: mark.process.os, pid: ProcessInfo.processInfo.processIdentifier,
        wallTime: Int64(mark.wallMicroseconds)))
    let first = try writer.sessions().first { $0.id == id }?.firstSeq ?? 1
    return RingTranslator(session: id, firstSeq: first, began: mark.beganNanoseconds)
  }

  /// Renames the damaged file, so that the next attempt creates a new one.
  ///
  /// - Returns: whether it was renamed; false the second time.
  func setAside() -> Bool {
    guard core.damagedHistory == nil else { return false }
    closeFile()
    guard let new = DamagedHistory.setAside(path) else { return false }
    core.damagedHistory = new
    (translator, following) = (nil, nil)
    // The translator had the notes of records that were not stored yet. The ring still has them.
    ring.readNotesAgain()
    needsIntroductions = true
    pruning = Pruning(
      core.options.retention, core.clock, began: core.ring.session.beganNanoseconds)
    judging = EndJudging(core.clock)
    return true
  }

  /// Stores the introductions in the file that replaces a damaged one, and records the events in the damaged
  /// one as lost.
  private func repeatIntroductions(_ writer: HistoryWriter) throws {
    guard needsIntroductions, var translator else { return }
    try translator.apply(introductions.entries, writer)
    try writer.store(aliases: translator.newAliases, session: translator.session)
    translator.markAliasesStored()
    try writer.append(
      UnsafeBufferPointer(start: nil, count: 0), to: translator.session,
      observed: translator.observed(highestStored))
    try writer.recordMissing(
      from: translator.seq(1), through: translator.seq(highestStored),
      reason: { _ in LossReason.setAside.rawValue })
    accountedThrough = max(accountedThrough, highestStored)
    self.translator = translator
    needsIntroductions = false
  }
}
