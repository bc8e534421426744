import StatyReading

/// `staty export`: a history as lines of JSON.
struct ExportVerb: Verb {
  static let spec = VerbSpec(
    name: "export", abstract: "Write a history as lines of JSON.",
    discussion: """
      They say everything that the history says, event by event, with names in the place of \
      numbers; 'import' makes an equal history of them. Equal histories give equal texts. A file that \
      is not as it was stored is refused (65). For a table, see 'show --format csv' and 'query'.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: [.valued("session", "n", "Only the session with this number.")] + OptionSpec.output)

  let arguments: ParsedArguments

  func run(_ run: ToolRun) throws -> ExitCode {
    let history = try OpenHistory(arguments.path, progress: run.progress)
    defer { history.noteWaiting(run) }
    let delivery = try Delivery(arguments.output, run.console)
    try history.doing("Exporting") { reader in
      let sessions = try SessionChoice(arguments).sessions(of: history)
      try HistoryExport(reader).write(sessions) { try delivery.write($0) }
    }
    try delivery.finish()
    return .done
  }
}
