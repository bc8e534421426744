/// `staty diff`: the first difference between two histories of the same controllers.
struct DiffVerb: Verb {
  static let isJudge = true
  static let spec = VerbSpec(
    name: "diff", abstract: "Find the first difference between two histories.",
    discussion: """
      The controllers are compared one by one: kinds of events, visits, states, reasons, why a \
      request was rejected, and which visits share an object. Times, threads, numbers of events, \
      values of messages and which controller was faster are not compared, and neither is what was recorded after missing \
      events. Exits with 1 if they differ, 2 if events are missing and they are the same up to there.
      """,
    arguments: [
      ArgumentSpec(name: "a", help: "A history."),
      ArgumentSpec(name: "b", help: "The history to compare it with."),
    ],
    options: [
      .valued("session", "n", "The session to take; needed if a file has several."),
      .valued("other-session", "n", "The session to take from the second file, if it is another."),
      .valued("controller", "name", "Only the controllers recorded under this name.").repeatable,
      .flag("json", "Print one object of JSON."),
    ] + OptionSpec.output)

  let arguments: ParsedArguments

  func run(_ run: ToolRun) throws -> ExitCode {
    let (one, other) = (
      try OpenHistory(arguments.words[0], progress: run.progress),
      try OpenHistory(arguments.words[1], progress: run.progress)
    )
    let delivery = try Delivery(arguments.output, run.console)
    let status = try one.doing("Comparing") { _ in
      try other.doing("Comparing") { _ in
        try compare(one, other, run, delivery)
      }
    }
    try delivery.finish()
    return status
  }

  private func compare(
    _ one: OpenHistory, _ other: OpenHistory, _ run: ToolRun, _ delivery: Delivery
  ) throws -> ExitCode {
    let sides = [
      try side(of: one, ["session"]), try side(of: other, ["other-session", "session"]),
    ]
    let difference = try HistoryDifference(sides)
    let report = DifferenceReport(
      difference, sides, TextSections(width: run.console.width, style: run.style))
    try delivery.write(
      arguments.has("json") ? report.json.pretty : report.text(isQuiet: run.isQuiet))
    switch difference.verdict {
    case .equal: return .done
    case .different: return .broken
    case .inconclusive: return .inconclusive
    }
  }

  /// - Parameter options: the options that may name the session, the first that is given.
  private func side(of history: OpenHistory, _ options: [String]) throws -> HistorySide {
    let choice = SessionChoice(
      session: options.compactMap(arguments.number).first,
      controllers: arguments.texts("controller"))
    let sessions = try choice.sessions(of: history)
    guard sessions.count == 1, let session = sessions.first else {
      throw Failure(
        status: .usage,
        message: "There are \(sessions.count) sessions in '\(history.path)', and one is compared.",
        advice: "Name it with '--session' or '--other-session'; 'sessions' lists them.")
    }
    try choice.checkNames(sessions, of: history)
    return try HistorySide(session, of: history) { choice.means($0) }
  }
}
