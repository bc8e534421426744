import StatyHistory
import StatyReplay
import StatyRules

/// `staty minimize`: the few requests of a history that it takes to break a rule.
struct MinimizeVerb: Verb {
  static let spec = VerbSpec(
    name: "minimize", abstract: "Find the fewest requests that break a rule as a history does.",
    discussion: """
      What was recorded is played again without more and more of it, as long as the same rule is broken \
      at the visits of the same requests. Of what is left every order that causes allow is searched, \
      for one with fewer steps and for one without one more request. The result is a history like any \
      other; what can be done with it is tried, and told.

      With a request everything goes that was asked for because of it, or if that is too much, the \
      request alone: then anybody asks for the rest. Only a broken rule is made smaller, and not a \
      replay that diverges without one.

      Of several errors that with the lowest number is kept, unless '--rule' or '--finding' chooses \
      another. What is left replays, unless no decision is left in it.

      Exits with 0 if each request that is left was tried without, 2 if a limit was reached before, no \
      rule is broken, or what was recorded cannot be played again: events are missing, it does not say \
      enough, or the controller is not known.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: SessionChoice.options + [
      .kinds(
        "Play controllers of this kind, such as 'latest', or one of them, as in 'checkout=latest', "
          + "and keep what they break first.")
    ] + FindingChoice.options("Keep")
      + OptionSpec.limits(.minimizing, runs: "How many runs are made in all.") + [
        .ownRules, .memory(.minimizing, "a search of all orders"), .time(.minimizing, "it"),
      ] + OptionSpec.historyOutput("Write what is left as a history."))

  private let path: String
  private let arguments: ParsedArguments
  private let choice: SessionChoice
  private let isJSON: Bool
  private let search: SessionMinimization.Search
  private let output: OutputChoice

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = arguments.arguments[0]
    self.arguments = arguments
    choice = try SessionChoice(arguments)
    try arguments.refuseOwnRules()
    isJSON = arguments.has("json")
    search = try SessionMinimization.Search(arguments)
    output = OutputChoice(arguments)
    if search.wanted.seq != nil, !arguments.texts("with").isEmpty {
      throw arguments.misuse(
        "'--finding' is about what was recorded, and '--with' about what another controller does.")
    }
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let kinds = try KindChoice(arguments, choice, known: run.engine.names)
    let out = try output.path.map { _ in try OutputHistory(output, doing: "Minimizing") }
    let history = try OpenHistory(path, progress: run.progress)
    defer { history.noteWaiting(run) }
    let minimization = try SessionMinimization(
      history, choice, kinds, search, run.engine,
      progress: run.progress)
    if let out {
      try minimization.played.write(out.writer, asApp: ScheduleRun.minimizedAppName)
      try out.close()
    }
    if isJSON {
      try run.print(MinimizationJSON.value(minimization, output: output.path).pretty)
    } else {
      let written = try output.path.map {
        ($0, try MinimizationTrial($0, keeping: minimization.result.finding, run))
      }
      let advice = MinimizationAdvice(arguments, tool: run.tool, written: written)
      let explanation = try MinimizationExplanation(
        minimization, known: run.engine.names, advice, width: run.console.width, style: run.style)
      try run.print(run.isQuiet ? explanation.line : explanation.text)
    }
    return minimization.status
  }
}

extension SessionMinimization.Search {
  /// What the command line says of it.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    var options = Minimizer.Options()
    options.mostSteps = try arguments.mostSteps(.minimizing)
    options.mostRuns = try arguments.mostRuns(.minimizing)
    options.mostBytes = try arguments.mostBytes(.minimizing)
    options.time = try arguments.time(.minimizing)
    options.codes = try arguments.playedRules()
    self.init(
      options: options,
      wanted: FindingChoice(codes: options.codes, seq: try arguments.seq("finding")))
  }
}
