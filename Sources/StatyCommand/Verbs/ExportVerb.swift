import StatyHistory
import StatyReport

/// `staty export`: a history as text.
struct ExportVerb: Verb {
  static let spec = VerbSpec(
    name: "export", abstract: "Write a history as text.",
    discussion: """
      'ndjson' says everything that a history says, event by event, with names in the place of \
      numbers; 'import' makes an equal history of it. Equal histories give equal texts. A file that \
      is not as it was stored is refused (65). For a table, see 'show --format csv' and 'query'.

      'chrome-trace' is opened by Perfetto (ui.perfetto.dev) and chrome://tracing: a session is a \
      process, a controller a thread, a visit a span with its phases in it, and what the rules find \
      is an instant.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: [
      .valued(
        "format", "form", choices: Form.allCases.map(\.rawValue),
        "What to write: ndjson or chrome-trace. Default: ndjson."),
      .valued("session", "n", "Only the session with this number."),
    ] + OptionSpec.output)

  /// The formats.
  enum Form: String, CaseIterable {
    case ndjson
    case chromeTrace = "chrome-trace"
  }

  private let path: String
  private let form: Form
  private let choice: SessionChoice
  private let output: OutputChoice

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = arguments.arguments[0]
    form = try arguments.choice("format") ?? .ndjson
    choice = SessionChoice(session: try arguments.seq("session"), controllers: [])
    output = OutputChoice(arguments)
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let history = try OpenHistory(path, progress: run.progress)
    defer { history.noteWaiting(run) }
    let delivery = try Delivery(output, run.console)
    try history.doing("Exporting") { reader in
      let sessions = try choice.sessions(of: history)
      switch form {
      case .ndjson: try HistoryExport(reader).write(sessions) { try delivery.write($0) }
      case .chromeTrace: try ChromeTrace(reader).write(sessions) { try delivery.write($0) }
      }
    }
    try delivery.finish()
    return .done
  }
}
