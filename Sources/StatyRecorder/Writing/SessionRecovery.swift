import StatyHistory

/// Brings into the file what a process that was killed left in its ring.
struct SessionRecovery {
  let writer: HistoryWriter
  let options: RecorderOptions

  /// Stores what a ring holds, says what is missing, and closes its session as crashed.
  ///
  /// May be done again if it was interrupted: what is stored already stays as it is.
  func recover(_ ring: RecoveredRing) throws {
    let session = try session(of: ring)
    try writer.resume(session: session.id)
    var translator = RingTranslator(
      session: session.id, firstSeq: session.firstSeq, began: ring.session.beganNanoseconds,
      aliases: try writer.aliases(session: session.id))
    try translator.takeIn(ring.entries, writer)
    try writer.store(aliases: translator.newAliases, session: session.id)
    let observed = Int64(ring.highestDrawn)
    try ring.forEachBatch { records in
      var details: [EventDetail] = []
      let rows = records.map { record in
        let (row, detail) = translator.translate(record)
        if let detail { details.append(detail) }
        return row
      }
      _ = try rows.withUnsafeBufferPointer {
        try writer.append($0, details: details, to: session.id, observed: observed)
      }
    }
    // Without a single row the numbers drawn still have to be told.
    try writer.append(UnsafeBufferPointer(start: nil, count: 0), to: session.id, observed: observed)
    var losses = LossCounts(ring.counters)
    losses.torn += ring.torn
    for (reason, count) in try writer.losses(session: session.id) {
      losses.settle(count, reason: reason)
    }
    try writer.recordMissing(
      from: session.firstSeq, through: session.firstSeq + observed - 1, reason: losses.reason)
    try writer.forgetAliases(session: session.id)
    try writer.endSession(session.id, ring.wasClosed ? .clean : .crash)
  }

  private func session(of ring: RecoveredRing) throws(HistoryError) -> SessionRecord {
    let uuid = ring.session.uuid
    if let known = try writer.sessions().first(where: { $0.uuid == uuid }) { return known }
    // Killed before its writer had come to say so.
    let id = try writer.beginSession(
      SessionOpening(
        uuid: uuid, app: options.app, appVersion: options.appVersion, os: ProcessMark.system,
        pid: ring.pid, wallTime: Int64(ring.session.wallMicroseconds)))
    guard let made = try writer.sessions().first(where: { $0.id == id }) else {
      throw .noSession(id)
    }
    return made
  }
}
