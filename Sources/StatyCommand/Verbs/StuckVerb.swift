/// `staty stuck`: lists visits that cannot go on, and what they wait for.
struct StuckVerb: Verb {
  static let spec = VerbSpec(
    name: "stuck", abstract: "List visits that cannot go on, and what they wait for.",
    discussion: """
      A visit is listed if it was entering, exiting or pending when the recording ended, the one \
      that waited longest first. One that had waited only for a moment may merely have been on its \
      way.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.", isRepeatable: true)],
    options: ViewReport.options)

  let arguments: ParsedArguments

  func run(_ run: ToolRun) throws -> ExitCode {
    try ViewReport(arguments, arguments.words).print(.stuck, run, whenEmpty: "No visit is stuck.")
  }
}
