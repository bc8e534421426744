import StatyHistory
import StatyRules

/// `staty check`: holds histories against the ordering rules.
struct CheckVerb: Verb {
  static let spec = VerbSpec(
    name: "check", abstract: "Check histories against the ordering rules.",
    discussion: """
      First the checksums are verified: a file that is not as it was stored is refused (65). Then \
      every rule that is broken is told with the guilty event, what led to it and what followed. \
      Exits with 1 if an error was found.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.", isRepeatable: true)],
    options: SessionChoice.options + [
      .flag("strict", "Exit with 1 on warnings, too."),
      .valued(
        "limit", "n", "How many findings to explain; 0 for all. Default: 20. All are counted."),
    ] + .rows)

  private let paths: [String]
  private let choice: SessionChoice
  private let isStrict: Bool
  private let limit: Int64
  private let format: RowFormat?
  private let output: OutputChoice

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.arguments
    choice = try SessionChoice(arguments)
    isStrict = arguments.has("strict")
    limit = try arguments.number("limit", in: 0...Int64.max) ?? 20
    format = try arguments.rowFormat()
    output = OutputChoice(arguments)
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    var report = CheckReport(
      format: format, limit: limit == 0 ? .max : Int(clamping: limit), run: run,
      delivery: try Delivery(output, run.console))
    let statuses = try run.overFiles(paths) { history in
      try history.doing("Checking") { reader in
        let sessions = try choice.sessions(of: history)
        try choice.checkNames(sessions, of: history)
        for session in sessions {
          try history.verify(session)
          let result = try HistoryCheck(reader).session(session.id)
          try refuseContradiction(StoredFindings(result, in: reader), history, session)
          try report.add(result, of: session, in: history) { choice.means($0) }
        }
      }
      return .done
    }
    try report.finish()
    let isBroken = report.sum.errors > 0 || isStrict && report.sum.warnings > 0
    return .worst(of: statuses + [isBroken ? .broken : .done])
  }

  private func refuseContradiction(
    _ stored: StoredFindings, _ history: OpenHistory, _ session: SessionRecord
  ) throws {
    guard case .contradicted(let sentence) = stored else { return }
    throw Failure(
      status: .badData,
      message: "Checking '\(history.path)', session \(session.id): the findings stored in it are "
        + "not those that the rules find. \(sentence)",
      advice: "The file was changed after it was recorded. Take another copy.")
  }
}
