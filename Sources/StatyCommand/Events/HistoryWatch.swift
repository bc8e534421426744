import StatyHistory
import StatyRecorder

/// Looks at a history whenever it has changed, until the user ends it.
///
/// The file is opened for each look, and then closed again. An open file would prevent its recorder
/// from removing the log when it closes, and the follower would not see the next recorder's log.
struct HistoryWatch {
  private let path: String
  private let run: ToolRun
  private var file: FileWatch
  private var recorder: LivingRecorder?
  /// The first and the last session at the last look.
  private var known: [SessionRecord] = []
  private var isReplaced = false

  /// The pause between two looks at the file, in milliseconds.
  private static let pause: Int32 = 100

  init(_ path: String, _ run: ToolRun) {
    (self.path, self.run) = (path, run)
    file = FileWatch(path, mostFailures: 30)
  }

  var interrupts: Interrupts { file.interrupts }

  /// Does something with the file as it is now; says who records into it if that has changed.
  mutating func look<Result>(
    isFirst: Bool = true, _ body: (OpenHistory, HistoryReader) throws -> Result
  ) throws -> Result {
    let history = try OpenHistory(path)
    let isNew = isFirst || history.recorder != recorder
    // The first look prints what it finds before the note.
    if !isFirst, isNew { tell(history.recorder) }
    recorder = history.recorder
    let result = try history.saying("Following") { reader in
      try check(reader)
      return try body(history, reader)
    }
    try history.reader.close()
    if isFirst { tell(recorder) }
    return result
  }

  /// Looks again whenever the file has changed.
  ///
  /// - Parameter rests: how many pauses without a change there may be between two looks; by default
  ///   any number.
  mutating func follow(
    rests: Int = .max, _ body: (OpenHistory, HistoryReader) throws -> Void
  ) throws {
    var rested = 0
    while let mayHaveChanged = file.rest(milliseconds: Self.pause) {
      guard run.console.out.hasReader else { throw SinkError.closed }
      rested += 1
      if !mayHaveChanged, rested < rests { continue }
      rested = 0
      do {
        try look(isFirst: false, body)
        file.note(hasFailed: false)
      } catch let failure as Failure where !isReplaced {
        // Any failure is reported if it persists.
        if file.note(hasFailed: true) { continue }
        guard failure.status == .noInput else { throw failure }
        throw Failure(
          status: .noInput, message: "Following '\(path)': it is not there any more.",
          advice: "It was moved or removed. Name the file where it is now.")
      }
    }
  }

  /// Fails if the file is another history than at the last look: its numbers mean something else.
  private mutating func check(_ reader: HistoryReader) throws {
    let sessions = try reader.sessions()
    isReplaced =
      sessions.last?.id ?? 0 < known.last?.id ?? 0
      || known.contains { old in sessions.contains { $0.id == old.id && $0.uuid != old.uuid } }
    guard !isReplaced else {
      throw Failure(
        status: .badData, message: "Following '\(path)': another history has taken its place.",
        advice: "Start again to follow that one.")
    }
    known = [sessions.first, sessions.last].compactMap(\.self)
  }

  private func tell(_ recorder: LivingRecorder?) {
    run.note(
      recorder.map { "Note: process \($0.pid) records into '\(path.visible)'; Ctrl-C ends this." }
        ?? "Note: no process records into '\(path.visible)', waiting. Ctrl-C ends this.")
  }
}
