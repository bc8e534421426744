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
    var histories: [OpenHistory] = []
    for path in paths { histories.append(try OpenHistory(path, progress: run.progress)) }
    let out = try OutputHistory(output, doing: "Merging")
    let summary = try merge(histories, into: out.writer)
    try FindingKeeper.checkAll(out.writer)
    try out.close()
    for double in summary.doubles {
      run.note(
        "Session \(double.uuid) is in '\(double.taken)' and in '\(double.left)', equal; it was "
          + "taken once.")
    }
    run.note(
      "Merged \(Decimal.count(summary.events, "event")) in "
        + "\(Decimal.count(summary.sessions, "session")).")
    return .done
  }

  /// Merges, with one state of each file in view.
  private func merge(
    _ histories: [OpenHistory], into writer: HistoryWriter, from place: Int = 0
  ) throws -> HistoryMerge.Summary {
    guard place == histories.count else {
      return try histories[place].doing("Merging") { _ in
        _ = try SessionChoice.all.sessions(of: histories[place])
        return try merge(histories, into: writer, from: place + 1)
      }
    }
    do {
      return try HistoryMerge(histories.map { HistoryMerge.Source($0.path, $0.reader) })
        .write(into: writer)
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
