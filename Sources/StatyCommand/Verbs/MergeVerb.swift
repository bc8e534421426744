import StatyHistory
import StatyRules

/// `staty merge`: several histories as one.
struct MergeVerb: Verb {
  static let spec = VerbSpec(
    name: "merge", abstract: "Put the sessions of several histories into one.",
    discussion: """
      The sessions come in the order in which they began, and the rules are asked anew. A session \
      that is in two of the files, by its uuid, is taken once if both say the same, and else \
      nothing is written (65). Nor is anything if a file cannot be read or is not as it was stored.

      With '--fleet' all histories below a folder are merged. Of those it is expected that some are \
      damaged: what cannot be read, a file or a session, is named and left out.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.", isRepeatable: true)],
    options: [
      OptionSpec.valued("fleet", "folder", "Merge all histories below this folder.")
        .standalone.input
    ] + OptionSpec.requiredOutput)

  private let paths: [String]
  private let fleet: String?
  private let output: OutputChoice

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.arguments
    fleet = arguments.text("fleet")
    if fleet != nil, !paths.isEmpty { throw arguments.misuse("'--fleet' is instead of files.") }
    output = OutputChoice(arguments)
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let found = try fleet.map { try HistoryFolder($0, doing: "Merging") }
    let out = try OutputHistory(output, doing: "Merging")
    var left = Notes()
    for unread in found?.unread ?? [] {
      left.add("Left out: '\(unread.path.visible)'. \(unread.problem.visible)")
    }
    let files = found?.files.map { "\(fleet ?? "")/\($0)" } ?? paths
    let summary = try merge(files, run, into: out.writer) { source, error in
      // One of a million devices always has a bad disk.
      guard found != nil, let failure = error as? Failure,
        failure.status == .badData || failure.status == .noInput
      else { throw error }
      left.add("Left out: \(failure.message.visible)")
    }
    try FindingKeeper.checkAll(out.writer)
    try out.close()
    tell(summary, left, run)
    return .done
  }

  private func tell(_ summary: HistoryMerge.Summary, _ left: Notes, _ run: ToolRun) {
    var doubles = Notes()
    for double in summary.doubles {
      doubles.add(
        "Session \(double.uuid.visible) is in '\(double.taken.visible)' and in "
          + "'\(double.left.visible)', equal; it was taken once.")
    }
    for line in left.lines + doubles.lines { run.note(line) }
    run.note(
      "Merged \(Decimal.count(summary.events, "event")) in "
        + "\(Decimal.count(summary.sessions, "session")).")
  }

  private func merge(
    _ files: [String], _ run: ToolRun, into writer: HistoryWriter,
    leavingOut leaveOut: (HistoryMerge.Source, any Error) throws -> Void
  ) throws -> HistoryMerge.Summary {
    let recent = RecentHistories(run)
    let sources = files.map { path in
      HistoryMerge.Source(path) { body in try recent.look(at: path, body) }
    }
    do {
      return try writer.gathering {
        try HistoryMerge(sources).write(
          into: writer, verifying: { try $1.verify($2, of: $0.name) }, leavingOut: leaveOut)
      }
    } catch let contradiction as HistoryMerge.Contradiction {
      throw Failure(contradiction)
    }
  }
}

/// Those of very many histories that were looked at last, still open: where sessions alternate, the next
/// look is at one of them, and to open one takes as long as to go through its pages.
private final class RecentHistories {
  private static let most = 8
  private let run: ToolRun
  private var open: [(path: String, history: OpenHistory)] = []

  init(_ run: ToolRun) { self.run = run }

  /// Looks at a history, and keeps it open unless that fails.
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

/// What is said of many: of the first one by one, and how many others there are.
private struct Notes {
  private static let most = 20
  private var first: [String] = []
  private var others = 0

  var lines: [String] {
    others == 0
      ? first : first + ["So \(others == 1 ? "is" : "are") \(Decimal.count(others, "other"))."]
  }

  mutating func add(_ line: @autoclosure () -> String) {
    if first.count < Self.most { first.append(line()) } else { others += 1 }
  }
}

extension Failure {
  fileprivate init(_ contradiction: HistoryMerge.Contradiction) {
    let files = contradiction.histories.map { "'\($0)'" }.joined(separator: " and ")
    self.init(
      status: .badData,
      message: "Merging: session \(contradiction.uuid) is in \(files), and does not say the same.",
      advice: "One is a copy of an earlier time, or was changed. Leave one of the files out.")
  }
}
