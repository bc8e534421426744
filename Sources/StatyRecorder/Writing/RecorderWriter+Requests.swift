import Staty
import StatyHistory

// The writer's tasks besides storing events.
extension RecorderWriter {
  /// Syncs, answers questions, makes copies and closes, as requested.
  ///
  /// - Returns: the reason for a failure, or `nil`.
  func perform(_ tasks: WriterRequests.Tasks) -> String? {
    guard let writer else { return failure ?? "the file is not open" }
    if tasks.level != nil, isFileGone {
      return "the file was removed or replaced while it was recorded into; flush again"
    }
    if tasks.isSuspended || !tasks.copies.isEmpty { judgeNow(writer) }
    do {
      if tasks.level == .durable { try writer.sync() }
      for ask in tasks.questions { ask(writer) }
      for copy in tasks.copies { copy.make(with: writer) }
      if tasks.isClosing { try finish(writer) }
      return nil
    } catch {
      failure = "\(error)"
      return failure
    }
  }

  /// Stores that the session has run until now, and the findings that hold if nothing follows.
  ///
  /// Many bugs end like this: a state does not come, and nothing happens any more. A failure costs no events.
  private func judgeNow(_ writer: HistoryWriter) {
    guard let translator else { return }
    try? noteTime(writer, translator.session)
    try? writer.judgeEnd(of: translator.session)
  }

  private func noteTime(_ writer: HistoryWriter, _ session: Int64) throws {
    guard let now = wallClock?.now() else { return }
    try writer.addAnchor(session: session, time: now.time, wallTime: now.wallTime)
  }

  private func finish(_ writer: HistoryWriter) throws {
    // First, because a kill before the ring is removed must not make the session a killed one.
    core.ring.noteClosed()
    if let translator {
      // Recording has ended: the missing events are lost, but not what has come since.
      let last = core.ring.counters.highestDrawn
      if last > account.through {
        let losses = account.new(of: core.losses)
        try recordMissing(through: last, writer, translator, losses.reason)
      }
      try noteTime(writer, translator.session)
      // First: the next launch needs the aliases of a session that has not ended.
      try writer.endSession(translator.session, .clean)
      try writer.forgetAliases(session: translator.session)
    }
    // A failure to prune costs no events.
    if let translator {
      try? pruning.finish(writer, current: translator.session, atMost: Self.pruningAtClose)
    }
    try writer.close()
    self.writer = nil
  }
}
