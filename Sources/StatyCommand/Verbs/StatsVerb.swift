import StatyHistory

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

  private let body: Body

  private enum Body {
    case overview(StatsOverview)
    case one(ViewReport, ReportedView)
  }

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let words = arguments.arguments
    guard let view = Self.views.first(where: { $0.name == words[0] }) else {
      body = .overview(try StatsOverview(arguments))
      return
    }
    guard words.count > 1 else {
      throw arguments.misuse("Missing expected argument '<file> ...'.")
    }
    body = .one(try ViewReport(arguments, Array(words.dropFirst())), view)
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    switch body {
    case .overview(let overview): try overview.run(run)
    case .one(let report, let view): try report.print(view, run, whenEmpty: "There is no row.")
    }
  }
}
