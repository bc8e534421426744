import StatyHistory
import StatyReplay
import StatyRules

/// `staty explore`: goes through every order in which what was recorded can happen.
struct ExploreVerb: Verb {
  static let spec = VerbSpec(
    name: "explore", abstract: "Search every order that causes allow for one that breaks a rule.",
    discussion: """
      What a session recorded is played again in all orders: who asked at one place of the code asks \
      in the same order, a state answers at any later moment, and what happened inside of a call \
      happens there again. The first order found that breaks a rule is a shortest one.

      A single controller that is a policy and was asked at most 64 times is searched state by state; \
      any other is run from the beginning again and again, and '--until' keeps that short.

      Exits with 0 if every order was searched and breaks no rule, 1 if one breaks a rule, 2 if the \
      search was cut before that was known.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.", isRepeatable: true)],
    options: SessionChoice.options + [
      .valued("until", "seq", "Take what was recorded up to the event with this number."),
      .valued(
        "with", "kind",
        "Search controllers of this kind, such as 'queue' or 'latest', or one of them, as in "
          + "'checkout=queue'."
      ).repeatable,
      .flag("never", "A state that answers in a while may also not answer at all."),
      .flag("loosen", "What happened inside of a call may also come later."),
      .valued(
        "rule", "code", choices: RuleCode.allCases.map(\.rawValue),
        "Search for this rule alone, such as 'overlap'. Default: all errors."
      ).repeatable,
      .valued("max-steps", "n", "How many steps an order may have. Default: 1000."),
      .valued("max-runs", "n", "How many runs are made of what is no policy. Default: 1000000."),
      .valued("max-states", "n", "How many states of a policy are kept. Default: 20000000."),
      .valued("time", "time", "How long it may take, as in '30s'. Default: 60s."),
      .flag("json", "Print one object of JSON."),
      .valued(
        "output", short: "o", "file", "Write the shortest order that breaks a rule as a history."),
      .flag("force", "Replace the file to write if there is one."),
    ])

  private let paths: [String]
  private let arguments: ParsedArguments
  private let choice: SessionChoice
  private let last: Int64?
  private let isJSON: Bool
  private let search: SessionExploration.Search
  private let output: OutputChoice

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.arguments
    self.arguments = arguments
    choice = try SessionChoice(arguments)
    last = try arguments.seq("until")
    isJSON = arguments.has("json")
    search = try SessionExploration.Search(arguments)
    output = OutputChoice(arguments)
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let plan = ReplayPlan(
      choice: choice, last: last,
      kinds: try KindChoice(arguments, choice, known: run.engine.names), engine: run.engine,
      tool: run.tool)
    let out = try output.path.map { _ in try OutputHistory(output, doing: "Exploring") }
    var report = ExplorationReport(isJSON: isJSON, isOne: paths.count == 1, run: run)
    var shortest: SessionExploration?
    var searched = 0
    let statuses = try run.overFiles(paths) { history in
      var statuses: [ExitCode] = []
      let sessions = try plan.sessions(of: history)
      guard !sessions.isEmpty else {
        throw Failure.noSession(in: history, doing: "Exploring", asked: "an order breaks a rule")
      }
      searched += sessions.count
      for session in sessions {
        let exploration = try SessionExploration(
          session, of: history, plan: plan, search, progress: run.progress)
        if exploration.isShorter(than: shortest) { shortest = exploration }
        try report.add(exploration)
        statuses.append(exploration.status)
      }
      return .worst(of: statuses)
    }
    try report.finish()
    if let out { try write(shortest, of: searched, into: out, run) }
    return .worst(of: statuses)
  }

  /// Writes the shortest order of all, and says whose it is where that is not plain.
  private func write(
    _ shortest: SessionExploration?, of searched: Int, into out: OutputHistory, _ run: ToolRun
  ) throws {
    let path = output.path ?? ""
    guard let shortest, let played = shortest.played else {
      return run.note("Note: no order that breaks a rule was found, so '\(path)' is not written.")
    }
    try played.write(out.writer)
    try out.close()
    if searched > 1 {
      run.note(
        "Note: '\(path)' is the shortest order that was found, that of "
          + "\(shortest.history.called), session \(shortest.session.id).")
    }
  }
}

extension SessionExploration.Search {
  /// What the command line says of it.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    var options = Explorer.Options()
    options.mostSteps = Int(try arguments.number("max-steps", in: 1...100_000) ?? 1_000)
    options.mostRuns = Int(try arguments.number("max-runs", in: 1...1_000_000_000) ?? 1_000_000)
    options.mostStates = Int(
      try arguments.number("max-states", in: 1...1_000_000_000) ?? 20_000_000)
    options.time = .microseconds(try arguments.duration("time") ?? 60_000_000)
    let codes = try arguments.choices("rule", of: RuleCode.allCases) { $0.rawValue }
    if !codes.isEmpty { options.codes = Set(codes) }
    self.init(
      options: options, mayBeSilent: arguments.has("never"), isLoose: arguments.has("loosen"))
  }
}
