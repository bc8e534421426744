import CStatyRing
package import StatyHistory

/// Recovers the events in the ring of a killed process: stores them in the file.
package struct SessionRecovery {
  let writer: HistoryWriter
  /// How sessions ended whose rings cannot be recovered, by their UUIDs, if that is known.
  var ends: [String: SessionEnd] = [:]
  /// The session of the recorder itself, which goes on.
  var kept: Int64?

  /// Recovers into the history of `writer`.
  package init(writer: HistoryWriter) {
    self.writer = writer
  }

  /// Sorts rings by the beginning of their sessions.
  ///
  /// Sessions that are in the file began before those that are not. Those that are not are sorted by the wall
  /// clock, which may have been set back.
  func inOrder(
    _ rings: [(path: String, ring: RecoveredRing)]
  ) throws -> [(path: String, ring: RecoveredRing)] {
    try rings.map { one in
      let first = try writer.sessions(ofRun: one.ring.session.uuid).first?.firstSeq
      return (first ?? Int64.max, one.ring.session.wallMicroseconds, one)
    }
    .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { $0.2 }
  }

  /// Stores the events in a ring, records which are missing, and ends the session as its process ended.
  ///
  /// It can be repeated if it was interrupted: events that are stored already do not change.
  ///
  /// - Returns: false if the ring contradicts the file, so that retrying would not help.
  /// - Throws: an error if the file cannot be written.
  package func recover(_ ring: RecoveredRing) throws -> Bool {
    do {
      try store(ring)
      return true
    } catch let error as HistoryError {
      switch error {
      case .unknownNumber, .foreignNumber, .nameTooLong, .noSession, .damaged:
        // Its numbers count as lost, so that they are not used again. If its session has ended, the numbers
        // behind it belong to later sessions already.
        guard let session = try? known(ring) else { return false }
        if session.ended == .open {
          try? storeDrawn(by: ring, session)
        } else {
          _ = try? writer.recordMissing(
            from: session.firstSeq,
            through: min(session.lastOwnSeq, session.firstSeq + session.observed - 1),
            reason: { _ in LossReason.ringUnreadable.rawValue })
        }
        return false
      case .refused, .older, .full, .outcomeUnknown, .failed, .empty, .notCopied, .notShared:
        throw error
      }
    }
  }

  /// Deletes the stored meanings of the ring's numbers; call it after the ring was removed.
  ///
  /// Until then, another attempt to recover the ring would need them.
  func forget(_ ring: RecoveredRing) throws {
    guard let session = try known(ring) else { return }
    try writer.forgetAliases(session: session.id)
  }

  /// Deletes what a kill between the removal of a ring and ``forget(_:)`` left; call it when no ring is left.
  func forgetRemoved() throws {
    try writer.forgetAliasesOfEndedSessions()
  }

  /// Ends the open sessions whose rings are missing or could not be recovered.
  func closeOthers() throws(HistoryError) {
    for session in try writer.openSessions() where session.id != kept {
      try writer.recordMissing(
        from: session.firstSeq, through: session.firstSeq + session.observed - 1,
        reason: { _ in LossReason.ringUnreadable.rawValue })
      try writer.endSession(session.id, ends[session.run ?? session.uuid] ?? .killed)
    }
  }

  private func store(_ ring: RecoveredRing) throws {
    if ring.isUnused { return try endUnused(ring) }
    let session = try session(of: ring)
    // Its recorder was closed and had stored everything, and was killed before it removed the ring.
    if session.ended == .clean { return }
    try writer.resume(session: session.id)
    var translator = try translator(ring, session)
    try translator.apply(ring.entries, writer)
    try translator.storeAliases(writer)
    let observed = max(translator.observed(ring.highestDrawn), session.observed)
    let drawn = UInt64(clamping: translator.point.drawn)
    try ring.forEachBatch { records in
      var details: [EventDetail] = []
      // Events of the sessions that this one continues are already stored or recorded as lost.
      let rows = records.filter { $0.number > drawn }.map { translator.translate($0, &details) }
      _ = try rows.withUnsafeBufferPointer {
        try writer.append($0, details: details, to: session.id, observed: observed)
      }
    }
    // Needed if the ring has no records, but numbers were drawn.
    try storeDrawn(by: ring, session)
    var losses = LossCounts(ring.counters)
    losses.torn += ring.torn
    for part in try writer.sessions(ofRun: ring.session.uuid) {
      for (reason, count) in try writer.losses(session: part.id) {
        losses.subtract(count, reason: reason)
      }
    }
    try writer.recordMissing(
      from: session.firstSeq, through: session.firstSeq + observed - 1, reason: losses.reason)
    try writer.endSession(session.id, ring.ended)
  }

  /// Ends a launch that had no event: if it was killed, nothing of it is left.
  ///
  /// After a loss of power a ring may be older than the file. Then its session has events or lost ones, and
  /// `closeOthers` ends it.
  private func endUnused(_ ring: RecoveredRing) throws {
    guard let session = try known(ring), session.ended == .open, session.observed == 0,
      session.run == nil
    else { return }
    if ring.ended == .clean {
      try writer.endSession(session.id, .clean)
    } else {
      try writer.remove(session: session.id)
    }
  }

  private func storeDrawn(by ring: RecoveredRing, _ session: SessionRecord) throws {
    try writer.append(
      UnsafeBufferPointer(start: nil, count: 0), to: session.id,
      observed: max(try translator(ring, session).observed(ring.highestDrawn), session.observed))
  }

  private func translator(
    _ ring: RecoveredRing, _ session: SessionRecord
  ) throws(HistoryError) -> RingTranslator {
    let reader = try writer.reader()
    return RingTranslator(
      session: session.id, firstSeq: session.firstSeq, point: try reader.ringPoint(of: session),
      began: ring.session.beganNanoseconds, aliases: try reader.aliases(session: session.id))
  }

  private func session(of ring: RecoveredRing) throws(HistoryError) -> SessionRecord {
    if let known = try known(ring) { return known }
    // The process was killed before its writer began the session. Rings of earlier sessions come first, so
    // the open sessions have none. Otherwise the new session would get their last numbers again.
    try closeOthers()
    return try writer.session(
      writer.beginSession(
        SessionOpening(
          uuid: ring.session.uuid, app: ring.session.process.app,
          appVersion: ring.session.process.appVersion, os: ring.session.process.os, pid: ring.pid,
          wallTime: Int64(clamping: ring.session.wallMicroseconds))))
  }

  private func known(_ ring: RecoveredRing) throws(HistoryError) -> SessionRecord? {
    try writer.sessions(ofRun: ring.session.uuid).last
  }
}
