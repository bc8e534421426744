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
      happens there again. The first order found that breaks a rule is a shortest one, and ends the \
      search; with '--each' it goes on for one for each rule.

      A single controller that is a policy and was asked at most 64 times is searched state by state; \
      any other is run from the beginning again and again, and '--until' keeps that short.

      What counts is what a controller does wrong. That a state keeps silent which was told something \
      in its turn does not, unless '--rule' names 'never-arrived' or 'never-exited': then it counts \
      if others wait for it.

      Exits with 0 if every order was searched and breaks no rule, 1 if one breaks a rule, 2 if the \
      search was cut before that was known, or nothing can happen.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.", isRepeatable: true)],
    options: SessionChoice.options + [
      .valued("until", "seq", "Take what was recorded up to the event with this number."),
      .kinds(
        "Search controllers of this kind, such as 'queue' or 'latest', or one of them, as in "
          + "'checkout=queue'."),
      .flag(
        "never",
        "A state that answers in a while may also not answer at all; what follows from that counts, "
          + "not the silence."),
      .flag("loosen", "What happened inside of a call may also come later."),
      .rules("Search for this rule alone, such as 'overlap'. Default: all errors."),
      .flag("each", "Go on for a shortest order of each rule that is broken."),
    ]
      + OptionSpec.limits(
        .exploring, runs: "How many runs are made in each session of what is no policy.") + [
        .valued(
          "max-states", "n",
          "How many states of a policy are kept. Default: \(Explorer.Options().mostStates)."),
        .ownRules, .memory(.exploring, "a search"), .time(.exploring, "the search of a session"),
      ]
      + OptionSpec.historyOutput(
        "Write the shortest order that breaks a rule as a history; with '--each', one session for "
          + "each order."))

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
    try arguments.refuseOwnRules()
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
    var found = FoundOrders(isForEach: search.options.isForEachRule)
    let statuses = try run.overFiles(paths) { history in
      var statuses: [ExitCode] = []
      let sessions = try plan.sessions(of: history)
      guard !sessions.isEmpty else {
        throw Failure.noSession(in: history, doing: "Exploring", asked: "an order breaks a rule")
      }
      for session in sessions {
        let exploration = try SessionExploration(
          session, of: history, plan: plan, search, progress: run.progress)
        found.take(exploration)
        try report.add(exploration)
        statuses.append(exploration.status)
      }
      return .worst(of: statuses)
    }
    try report.finish()
    if let out { try found.write(into: out, run) }
    return .worst(of: statuses)
  }
}

extension SessionExploration.Search {
  /// What the command line says of it.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    var options = Explorer.Options()
    options.mostSteps = try arguments.mostSteps(.exploring)
    options.mostRuns = try arguments.mostRuns(.exploring)
    if let states = try arguments.number("max-states", in: 1...1_000_000_000) {
      options.mostStates = Int(states)
    }
    options.mostBytes = try arguments.mostBytes(.exploring)
    options.time = try arguments.time(.exploring)
    options.codes = try arguments.playedRules()
    options.isForEachRule = arguments.has("each")
    self.init(
      options: options, mayBeSilent: arguments.has("never"), isLoose: arguments.has("loosen"))
  }
}
