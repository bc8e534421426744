import StatyHistory

/// `staty stats`: how long states were in and waited, which moves took how long, and what was touched.
struct StatsVerb: Verb {
  static let spec = VerbSpec(
    name: "stats", abstract: "Sum up how long states and the moves between them took.",
    discussion: """
      Without a name the first five rows of each are printed. 'dwell' says how long states were in, \
      'waits' how long they waited to come in, 'transitions' which moves were made how often, and \
      whether they are declared, and 'slowest' what took a move its time. Rows are those of the \
      views of these names, those that matter most first.

      'coverage' adds up over all the files which declared routes were taken, and what each \
      controller was told in which state and phase: what was never seen stands beside what was seen \
      and should not have been.
      """,
    arguments: [
      ArgumentSpec(
        name: "what", help: "One of dwell, waits, transitions, slowest and coverage.",
        isOptional: true, choices: views.map(\.name) + ["coverage"]),
      ArgumentSpec(name: "file", help: "A history.", isRepeatable: true),
    ],
    options: ViewReport.options)

  static let views = [
    ReportedView.dwell, .waits, .transitions, .slowest,
  ]

  private let body: Body

  private enum Body {
    case overview(StatsOverview)
    case one(ViewPrinting)
    case coverage(CoverageReport)
  }

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let words = arguments.arguments
    let view = Self.views.first { $0.name == words[0] }
    guard view != nil || words[0] == "coverage" else {
      body = .overview(try StatsOverview(arguments))
      return
    }
    guard words.count > 1 else {
      throw arguments.misuse("Missing expected argument '<file> ...'.")
    }
    guard let view else {
      body = .coverage(try CoverageReport(arguments, Array(words.dropFirst())))
      return
    }
    body = .one(try ViewPrinting(arguments, view, Array(words.dropFirst())))
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    switch body {
    case .overview(let overview): try overview.run(run)
    case .coverage(let report): try report.run(run)
    case .one(let printing): try printing.run(run, whenEmpty: "There is no row.")
    }
  }
}
