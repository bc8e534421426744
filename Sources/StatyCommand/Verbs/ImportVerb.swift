import StatyHistory
import StatyReading
import StatyRules

/// `staty import`: makes a history from text.
struct ImportVerb: Verb {
  static let spec = VerbSpec(
    name: "import", abstract: "Make a history of text.",
    discussion: """
      Takes what 'export' wrote as 'ndjson': one object of JSON a line. Every line is checked; what is \
      wrong is told with the line's number (65). What the rules find is added.
      """,
    arguments: [
      ArgumentSpec(
        name: "file", help: "A text of NDJSON, or '-' to read it from standard input.")
    ],
    options: OptionSpec.requiredOutput)

  let arguments: ParsedArguments

  func run(_ run: ToolRun) throws -> ExitCode {
    let input = try InputText(arguments.path)
    let path = arguments.path
    let history = try OutputHistory(arguments.output, doing: "Importing '\(path)'")
    do {
      let summary = try take(input, into: history.writer, run.progress)
      try history.close()
      run.note(
        "Imported \(Decimal.count(summary.events, "event")) in "
          + "\(Decimal.count(summary.sessions, "session")).")
      return .done
    } catch let refusal as ImportRefusal {
      tell(refusal, run)
      return .badData
    } catch {
      throw Failure(error, doing: "Importing '\(path)'")
    }
  }

  private func take(
    _ input: InputText, into writer: HistoryWriter, _ progress: ProgressLine
  ) throws -> HistoryImport.Summary {
    writer.judge()
    var reading = HistoryImport(into: writer)
    var pace = Pace()
    while true {
      let part = try input.next()
      if part.isEmpty { break }
      try reading.take(part)
      guard let total = input.total else { continue }
      progress.tell(
        pace.text("Importing '\(arguments.path.visible)'", passed: input.taken, of: total, "byte"))
    }
    return try reading.finish()
  }

  private func tell(_ refusal: ImportRefusal, _ run: ToolRun) {
    for problem in refusal.problems {
      run.report(
        Failure(
          status: .badData, message: "\(arguments.path):\(problem.line): \(problem.message).",
          advice: problem.advice))
    }
    if refusal.isCut { run.note("It stopped there; there may be more.") }
  }
}
