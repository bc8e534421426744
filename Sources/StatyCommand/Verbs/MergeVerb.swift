import StatyHistory
import StatyReading
import StatyRules
import StatyText

/// `staty merge`: combines several histories in one.
struct MergeVerb: Verb {
  static let spec = VerbSpec(
    name: "merge", abstract: "Put the sessions of several histories into one.",
    discussion: """
      The sessions come in the order in which they began, and the rules are asked anew. A session \
      that is in two of the files, by its uuid, is taken once if both say the same, and else \
      nothing is written (65). Nor is anything if a file cannot be read or is not as it was stored.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.", isRepeatable: true)],
    options: OptionSpec.requiredOutput)

  let arguments: ParsedArguments

  func run(_ run: ToolRun) throws -> ExitCode {
    let out = try OutputHistory(arguments.output, doing: "Merging")
    out.writer.judge()
    let summary = try merge(run, into: out.writer)
    try out.close()
    tell(summary, run)
    return .done
  }

  private static let mostNotes = 20

  private func tell(_ summary: HistoryMerge.Summary, _ run: ToolRun) {
    for double in summary.doubles.prefix(Self.mostNotes) {
      run.note(
        "Session \(double.uuid.visible) is in '\(double.taken.visible)' and in "
          + "'\(double.left.visible)', equal; it was taken once.")
    }
    let others = summary.doubles.count - Self.mostNotes
    if others > 0 {
      run.note("So \(others == 1 ? "is" : "are") \(Decimal.count(others, "other")).")
    }
    run.note(
      "Merged \(Decimal.count(summary.events, "event")) in "
        + "\(Decimal.count(summary.sessions, "session")).")
  }

  private func merge(
    _ run: ToolRun, into writer: HistoryWriter
  ) throws -> HistoryMerge.Summary {
    let recent = RecentHistories(run)
    let sources = arguments.words.map { path in
      HistoryMerge.Source(path) { body in try recent.look(at: path, body) }
    }
    do {
      return try writer.gathering {
        try HistoryMerge(sources).write(into: writer) { try $1.verify($2, of: $0.name) }
      }
    } catch let contradiction as HistoryMerge.Contradiction {
      throw Failure(contradiction)
    }
  }
}

/// The histories that were read last, still open.
///
/// If sessions of several histories alternate, the next read is of one of them, and opening a
/// history takes as long as reading its pages.
private final class RecentHistories {
  private static let most = 8
  private let run: ToolRun
  private var open: [(path: String, history: OpenHistory)] = []

  init(_ run: ToolRun) { self.run = run }

  /// Reads a history, and keeps it open unless that fails.
  func look(at path: String, _ body: (HistoryReader) throws -> Void) throws {
    let history = try take(path)
    try history.doing("Merging", body)
    open.append((path, history))
    if open.count > Self.most { try open.removeFirst().history.letGo() }
  }

  private func take(_ path: String) throws -> OpenHistory {
    if let place = open.firstIndex(where: { $0.path == path }) {
      return open.remove(at: place).history
    }
    let history = try OpenHistory(path, progress: run.progress)
    history.noteWaiting(run)
    return history
  }
}

extension Failure {
  fileprivate init(_ contradiction: HistoryMerge.Contradiction) {
    let files = contradiction.histories.map { "'\($0)'" }.listed
    self.init(
      status: .badData,
      message: "Merging: session \(contradiction.uuid) is in \(files), and does not say the same.",
      advice: "One is a copy of an earlier time, or was changed. Leave one of the files out.")
  }
}
