import Staty
import StatyHistory

// What is wanted of the writer besides writing.
extension RecorderWriter {
  /// Does what is wanted besides writing.
  ///
  /// - Returns: why it could not be done, or `nil`.
  func carryOut(_ wanted: WriterRequests.Wanted) -> String? {
    guard let writer else { return failure ?? "the file is not open" }
    // The file can still be written, but no other process can read it.
    if wanted.level != nil, FileIdentity(at: path) != identity {
      return "the file was removed or replaced while it was recorded into; open a new recorder"
    }
    do {
      if wanted.level == .durable { try writer.sync() }
      for question in wanted.questions { question.look(through: writer) }
      for copy in wanted.copies { copy.make(with: writer) }
      if wanted.isClosing { try finish(writer) }
      return nil
    } catch {
      failure = "\(error)"
      return failure
    }
  }

  private func finish(_ writer: HistoryWriter) throws {
    if let translator {
      // Whatever is missing now will not come any more.
      let last = core.numbering.last
      if last > settled {
        let losses = core.losses.since(settledLosses)
        try recordMissing(through: last, writer, translator, losses.reason)
      }
      try writer.forgetAliases(session: translator.session)
      try writer.endSession(translator.session, .clean)
    }
    // What is stored is safe whatever comes of this.
    if let translator {
      try? prune(writer, translator.session, atMost: Self.pruningAtClose)
    }
    try writer.close()
    self.writer = nil
  }
}
