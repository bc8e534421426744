import StatyHistory
import StatyRules

/// `staty merge`: several histories as one.
struct MergeVerb: Verb {
  static let spec = VerbSpec(
    name: "merge", abstract: "Put the sessions of several histories into one.",
    discussion: """
      The sessions come in the order in which they began, and the rules are asked anew. A session \
      that is in two of the files, by its uuid, is taken once if both say the same, and else \
      nothing is written (65).
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.", isRepeatable: true)],
    options: OptionSpec.output)

  private let paths: [String]
  private let output: OutputChoice

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.arguments
    output = OutputChoice(arguments)
    try arguments.requireOutput()
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let out = try OutputHistory(output, doing: "Merging")
    let summary = try merge(run, into: out.writer)
    try FindingKeeper.checkAll(out.writer)
    try out.close()
    for double in summary.doubles.prefix(Self.mostNotes) {
      run.note(
        "Session \(double.uuid) is in '\(double.taken)' and in '\(double.left)', equal; it was "
          + "taken once.")
    }
    if summary.doubles.count > Self.mostNotes {
      let more = summary.doubles.count - Self.mostNotes
      run.note("So \(more == 1 ? "is" : "are") \(Decimal.count(more, "other")).")
    }
    run.note(
      "Merged \(Decimal.count(summary.events, "event")) in "
        + "\(Decimal.count(summary.sessions, "session")).")
    return .done
  }

  /// So many of the sessions that are there twice are named.
  private static let mostNotes = 20

  private func merge(
    _ run: ToolRun, into writer: HistoryWriter
  ) throws -> HistoryMerge.Summary {
    let sources = paths.map { path in
      HistoryMerge.Source(path) { body in
        let history = try OpenHistory(path, progress: run.progress)
        try history.doing("Merging", body)
        try history.letGo()
      }
    }
    do {
      return try HistoryMerge(sources).write(into: writer) { source, reader, session in
        try reader.verify(session, of: source.name)
      }
    } catch let contradiction as HistoryMerge.Contradiction {
      throw Failure(contradiction)
    }
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
