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

      Exits with 0 if it was made as small as the limits allow, 2 if no rule is broken, or what was \
      recorded cannot be played again: events are missing, it does not say enough, or the controller \
      is not known.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: SessionChoice.options + [
      .kinds(
        "Play controllers of this kind, such as 'latest', or one of them, as in 'checkout=latest', "
          + "and keep what they break first."),
      .rules("Keep the first that breaks this rule, such as 'overlap'. Default: the first error."),
      .valued("finding", "seq", "Keep what is found at the event with this number."),
    ] + OptionSpec.limits(.minimizing, runs: "How many runs are made in all.") + [
      .time(.minimizing)
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
    isJSON = arguments.has("json")
    search = try SessionMinimization.Search(arguments)
    output = OutputChoice(arguments)
    if search.seq != nil, !arguments.texts("with").isEmpty {
      throw arguments.misuse(
        "'--finding' is about what was recorded, and '--with' about what another controller does.")
    }
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let kinds = try KindChoice(arguments, choice, known: run.engine.names)
    let out = try output.path.map { _ in try OutputHistory(output, doing: "Minimizing") }
    let minimization = try SessionMinimization(
      try OpenHistory(path, progress: run.progress), choice, kinds, search, run.engine,
      progress: run.progress)
    if let out {
      try minimization.played.write(out.writer, asApp: ScheduleRun.minimizedAppName)
      try out.close()
    }
    if isJSON {
      try run.print(MinimizationJSON.value(minimization, output: output.path).pretty)
    } else {
      let written = try output.path.map { ($0, try MinimizationTrial($0, run)) }
      let explanation = MinimizationExplanation(
        minimization, tool: run.tool, output: written, width: run.console.width,
        style: run.style)
      try run.print(run.isQuiet ? explanation.line : explanation.text)
    }
    return .done
  }
}

extension SessionMinimization.Search {
  /// What the command line says of it.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    var options = Minimizer.Options()
    options.mostSteps = try arguments.mostSteps(.minimizing)
    options.mostRuns = try arguments.mostRuns(.minimizing)
    options.time = try arguments.time(.minimizing)
    options.codes = try arguments.rules()
    self.init(options: options, seq: try arguments.seq("finding"))
  }
}
