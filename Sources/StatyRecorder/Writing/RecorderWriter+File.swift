import Foundation
import StatyHistory
import StatyRules
import StatySQLite

// The file: opened, begun anew, and what was left of earlier ones brought in.
extension RecorderWriter {
  /// The open file with the session begun; opens it if it is not.
  func openFile() throws -> HistoryWriter {
    if let writer { return writer }
    var settings = WritingSettings()
    settings.isExclusive = core.options.isExclusive
    let writer = try HistoryWriter(path: path, settings: settings)
    writer.hasFailedToSync = hasFailedToSync
    writer.judge()
    if let translator {
      try writer.resume(session: translator.session)
    } else {
      try recoverLeftovers(writer)
      // At once, so that a second attempt does not begin it once more.
      translator = try beginSession(writer)
      let mark = core.ring.session
      wallClock = WallClockWatch(
        core.clock, began: mark.beganNanoseconds, wall: Int64(mark.wallMicroseconds))
    }
    if let translator, !hasPrunedAtOpening {
      try prune(writer, translator.session, atMost: Self.pruningAtOpening)
      hasPrunedAtOpening = true
    }
    try introduceAnew(writer)
    FileProtection.protect(history: path)
    identity = FileIdentity(at: path)
    self.writer = writer
    return writer
  }

  private func recoverLeftovers(_ writer: HistoryWriter) throws {
    let recovery = SessionRecovery(writer: writer)
    // One that is no ring, or a newer one, is left where it is.
    let rings = leftovers.compactMap { path in
      Self.leftover(at: path).map { (path: path, ring: $0) }
    }
    for (path, ring) in try recovery.inOrder(rings) where try recovery.recover(ring) {
      try ring.remove(at: path)
      try recovery.forget(ring)
    }
    try recovery.closeOthers()
  }

  /// The ring of a dead process.
  ///
  /// The process that moved it aside may hold its lock for a moment more. Passing it over would close its
  /// session without its events.
  private static func leftover(at path: String) -> RecoveredRing? {
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

  /// Puts the damaged file out of the way, so that a new one is begun.
  ///
  /// - Returns: whether that was done; not a second time.
  func setAside() -> Bool {
    guard core.damagedHistory == nil else { return false }
    closeFile()
    guard let new = DamagedHistory.setAside(path) else { return false }
    core.damagedHistory = new
    translator = nil
    // What was noted of events that have not come is in no file.
    ring.readNotesAgain()
    isIntroducing = true
    pruning = Pruning(core.options.retention, core.clock)
    judging = EndJudging(core.clock)
    return true
  }

  /// Says in a new file what was said in the one that was set aside, and that its events are there.
  private func introduceAnew(_ writer: HistoryWriter) throws {
    guard isIntroducing, var translator else { return }
    try translator.takeIn(introductions, writer)
    try writer.store(aliases: translator.newAliases, session: translator.session)
    translator.settleAliases()
    try writer.append(
      UnsafeBufferPointer(start: nil, count: 0), to: translator.session,
      observed: translator.observed(highestStored))
    try writer.recordMissing(
      from: translator.seq(1), through: translator.seq(highestStored), reason: { _ in "set aside" })
    settled = max(settled, highestStored)
    self.translator = translator
    isIntroducing = false
  }
}
