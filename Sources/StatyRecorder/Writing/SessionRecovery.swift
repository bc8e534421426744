import CStatyRing
package import StatyHistory

/// Brings into the file what a process that was killed left in its ring.
package struct SessionRecovery {
  let writer: HistoryWriter

  /// Brings them into what `writer` writes.
  package init(writer: HistoryWriter) {
    self.writer = writer
  }

  /// The rings in the order in which their sessions began.
  ///
  /// A session that is in the file began before those that never came so far; among these the wall
  /// clock has to do, which may have been set back.
  func inOrder(
    _ rings: [(path: String, ring: RecoveredRing)]
  ) throws -> [(path: String, ring: RecoveredRing)] {
    let known = try writer.sessions()
    return rings.map { one in
      let first = known.first { $0.isOfRun(one.ring.session.uuid) }?.firstSeq
      return (first ?? Int64.max, one.ring.session.wallMicroseconds, one)
    }
    .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { $0.2 }
  }

  /// Stores what a ring holds, says what is missing, and ends its session as its process ended.
  ///
  /// May be done again if it was interrupted: what is stored already stays as it is.
  ///
  /// - Returns: whether it was done; not if the ring contradicts the file, which trying again would
  ///   not change.
  /// - Throws: if the file could not be written.
  package func recover(_ ring: RecoveredRing) throws -> Bool {
    do {
      try store(ring)
      return true
    } catch let error as HistoryError {
      switch error {
      case .unknownNumber, .foreignNumber, .nameTooLong, .noSession, .damaged:
        // Its numbers are lost and are not used again, unless its session has ended: then the numbers behind
        // it belong to later sessions.
        if let session = try? known(ring), session.ended == .open {
          try? tellDrawn(by: ring, session)
        }
        return false
      case .refused, .older, .full, .outcomeUnknown, .failed, .empty, .notCopied, .notShared:
        throw error
      }
    }
  }

  /// Forgets what the numbers in a ring meant, once the ring is gone.
  ///
  /// Not before: to bring it in once more they would be needed.
  func forget(_ ring: RecoveredRing) throws {
    guard let session = try known(ring) else { return }
    try writer.forgetAliases(session: session.id)
  }

  /// Closes the sessions that have not ended and whose rings could not be imported.
  func closeOthers() throws {
    for session in try writer.openSessions() {
      try writer.recordMissing(
        from: session.firstSeq, through: session.firstSeq + session.observed - 1,
        reason: { _ in "ring unreadable" })
      try writer.endSession(session.id, .killed)
    }
  }

  private func store(_ ring: RecoveredRing) throws {
    let session = try session(of: ring)
    try writer.resume(session: session.id)
    var translator = try translator(ring, session)
    try translator.takeIn(ring.entries, writer)
    try writer.store(aliases: translator.newAliases, session: session.id)
    let observed = max(translator.observed(ring.highestDrawn), session.observed)
    let drawn = UInt64(clamping: translator.point.drawn)
    try ring.forEachBatch { records in
      var details: [EventDetail] = []
      // What belongs to the sessions before is stored or lost.
      let rows = records.filter { $0.number > drawn }.map { translator.translate($0, &details) }
      _ = try rows.withUnsafeBufferPointer {
        try writer.append($0, details: details, to: session.id, observed: observed)
      }
    }
    // Without a single row the numbers drawn still have to be told.
    try tellDrawn(by: ring, session)
    var losses = LossCounts(ring.counters)
    losses.torn += ring.torn
    for part in try writer.sessions() where part.isOfRun(ring.session.uuid) {
      for (reason, count) in try writer.losses(session: part.id) {
        losses.settle(count, reason: reason)
      }
    }
    try writer.recordMissing(
      from: session.firstSeq, through: session.firstSeq + observed - 1, reason: losses.reason)
    try writer.endSession(session.id, ring.ended)
  }

  private func tellDrawn(by ring: RecoveredRing, _ session: SessionRecord) throws {
    try writer.append(
      UnsafeBufferPointer(start: nil, count: 0), to: session.id,
      observed: max(try translator(ring, session).observed(ring.highestDrawn), session.observed))
  }

  private func translator(
    _ ring: RecoveredRing, _ session: SessionRecord
  ) throws(HistoryError) -> RingTranslator {
    RingTranslator(
      session: session.id, firstSeq: session.firstSeq,
      point: try writer.reader().ringPoint(of: session), began: ring.session.beganNanoseconds,
      aliases: try writer.aliases(session: session.id))
  }

  private func session(of ring: RecoveredRing) throws(HistoryError) -> SessionRecord {
    if let known = try known(ring) { return known }
    // Killed before its writer had come to say so.
    let id = try writer.beginSession(
      SessionOpening(
        uuid: ring.session.uuid, app: ring.session.process.app,
        appVersion: ring.session.process.appVersion, os: ring.session.process.os, pid: ring.pid,
        wallTime: Int64(clamping: ring.session.wallMicroseconds)))
    guard let made = try writer.sessions().first(where: { $0.id == id }) else {
      throw .noSession(id)
    }
    return made
  }

  private func known(_ ring: RecoveredRing) throws(HistoryError) -> SessionRecord? {
    try writer.sessions().last { $0.isOfRun(ring.session.uuid) }
  }
}

extension SessionRecord {
  /// Whether it is of the process that began to record in the session of this name.
  fileprivate func isOfRun(_ uuid: String) -> Bool { self.uuid == uuid || run == uuid }
}
