import StatyHistory
import StatyReading
import StatyRecorder
import StatyRules

/// `staty prune`: deletes the oldest sessions of a history.
struct PruneVerb: Verb {
  static let spec = VerbSpec(
    name: "prune", abstract: "Delete the oldest sessions of a history.",
    discussion: """
      Whole sessions are deleted, the oldest first, as a recorder with these limits would do. Without \
      '-o' the file itself is changed. To delete every session of it, add '--force', because nothing \
      can bring them back. A history that is being recorded into is left to its recorder.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: [
      .valued(
        "keep-sessions", "n", in: 0...Int64(Int32.max),
        "Keep so many sessions, the newest; those of one process count once."),
      .valued(
        "older-than", "time", "Delete sessions whose last event is older, as '30d' or '12h'."),
      .valued(
        "bytes", "size", "Keep so many bytes, as '20M', 1M at least, and the newest session."),
    ] + OptionSpec.output)

  let arguments: ParsedArguments
  private var retention = Retention()

  init(arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    retention.sessions = arguments.number("keep-sessions").map { Int($0) }
    retention.age = arguments.duration("older-than").map { .microseconds($0) }
    retention.bytes = arguments.bytes("bytes")
    if retention == Retention() {
      throw arguments.misuse(
        "Please say what to keep with '--keep-sessions', '--older-than' or '--bytes'.")
    }
  }

  private var path: String { arguments.path }

  func run(_ run: ToolRun) throws -> ExitCode {
    let history = try OpenHistory(path)
    let summary = arguments.output.path == nil ? try pruneInPlace(history) : try pruneCopy(history)
    run.note(Self.words(summary))
    if summary.isTooLarge {
      run.note(
        "It is larger than '--bytes' says: the newest session is never deleted for its size.")
    }
    if summary.open > 0 {
      run.note(
        "\(Decimal.count(summary.open, "session")) not ended "
          + "\(summary.open == 1 ? "was" : "were") left alone; the next recorder ends "
          + "\(summary.open == 1 ? "it" : "them").")
    }
    return .done
  }

  private static func words(_ summary: HistoryPruner.Summary) -> String {
    if summary.sessions == 0 { return "Nothing was deleted." }
    return "\(Decimal.count(summary.sessions, "session")) "
      + "\(summary.sessions == 1 ? "was" : "were") deleted, with "
      + "\(Decimal.count(summary.events, "event"))."
  }

  private func pruneCopy(_ history: OpenHistory) throws -> HistoryPruner.Summary {
    let out = try OutputHistory(arguments.output, doing: "Pruning '\(path)'")
    out.writer.judge()
    try history.doing("Pruning") { reader in
      _ = try SessionChoice.all.sessions(of: history)
      try HistoryCopy(reader).write(into: out.writer)
    }
    let summary = try HistoryPruner(retention).prune(out.writer)
    try out.close()
    return summary
  }

  private func pruneInPlace(_ history: OpenHistory) throws -> HistoryPruner.Summary {
    if let recorder = history.recorder { throw Self.busy(path, recorder.pid) }
    try history.doing("Pruning") { _ in
      try refuseAll(SessionChoice.all.sessions(of: history))
    }
    let real = history.real
    // SQLite would obey a journal, and a recorder never leaves one.
    guard !WholeFile.isThere(real + "-journal") else {
      throw Failure(
        status: .badData, message: "Pruning '\(path)': a journal lies next to it.",
        advice: "A recorder leaves none. Prune a copy with '-o'.")
    }
    try history.letGo()
    do {
      return try HistoryPruner(retention).prune(at: real)
    } catch RecorderError.alreadyRecording(_, let pid) {
      throw Self.busy(path, pid)
    } catch let error as RecorderError {
      throw Failure(
        status: .cannotWrite, message: "Pruning '\(path)': \(error.description)",
        advice: "Write a pruned copy with '-o'.")
    } catch {
      throw Failure(error, doing: "Pruning '\(path)'")
    }
  }

  /// Refuses to delete everything if there is no other copy, unless that is forced.
  private func refuseAll(_ sessions: [SessionRecord]) throws(Failure) {
    guard HistoryPruner(retention).leavesNothing(of: sessions), !arguments.output.isForced else {
      return
    }
    throw Failure(
      status: .usage,
      message: "Pruning '\(path)': "
        + (sessions.count == 1
          ? "its only session would be deleted."
          : "all its \(sessions.count) sessions would be deleted."),
      advice: "Use '--force' if that is meant, or write a pruned copy with '-o'.")
  }

  private static func busy(_ path: String, _ pid: Int32?) -> Failure {
    let recorder = pid.map { "process \($0)" } ?? "another process"
    return Failure(
      status: .cannotWrite,
      message: "Pruning '\(path)': \(recorder) is recording into it.",
      advice: "Wait until it ends, let its recorder prune, or write a pruned copy with '-o'.")
  }
}
