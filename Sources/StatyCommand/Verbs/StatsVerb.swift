/// `staty stats`: how long states were shown and waited, and how long moves took.
struct StatsVerb: Verb {
  static let spec = VerbSpec(
    name: "stats", abstract: "Sum up how long states and transitions took.",
    discussion: """
      Without a name the first five rows of each are printed. 'dwell' says how long states were on \
      screen, 'waits' how long requests were pending, 'transitions' which transitions happened how \
      often and whether they are declared, and 'slowest' what took each transition its time. The \
      rows are those of the views with these names, the largest first.
      """,
    arguments: [
      ArgumentSpec(
        name: "what", help: "One of dwell, waits, transitions and slowest.",
        isOptional: true, choices: views.map(\.name)),
      ArgumentSpec(name: "file", help: "A history.", isRepeatable: true),
    ],
    options: ViewReport.options)

  static let views = [
    ReportedView.dwell, .waits, .transitions, .slowest,
  ]

  let arguments: ParsedArguments

  init(arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    let isOne = Self.views.contains { $0.name == arguments.path }
    if !isOne { try StatsOverview.check(arguments) }
    if isOne, arguments.words.count == 1 {
      throw arguments.misuse("Missing expected argument '<file> ...'.")
    }
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    guard let view = Self.views.first(where: { $0.name == arguments.path }) else {
      return try StatsOverview(arguments).run(run)
    }
    return try ViewReport(arguments, Array(arguments.words.dropFirst()))
      .print(view, run, whenEmpty: "There is no row.")
  }
}
