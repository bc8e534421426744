/// `staty replay`: replays histories with their controllers.
struct ReplayVerb: Verb {
  static let isJudge = true
  static let spec = VerbSpec(
    name: "replay", abstract: "Replay histories, and say whether the same happens again.",
    discussion: """
      A new controller is told every recorded input, and its decisions are compared with the \
      recorded ones. Each session is replayed twice, the second time in a process of its own. Exits \
      with 0 if all was reproduced, 1 if it diverged, 2 if it is inconclusive. With '--with' it also \
      says what would have happened.

      With '--what-if', an edit or '--assume' the session is played again instead: states take as \
      long as they took, requests are made when they were made, and the rules say whether what was \
      broken still is. What is not recorded is assumed, and every assumption is listed. Exits with 0 \
      if it is fixed or clean, 1 if it is still or newly broken, 2 if it is inconclusive.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.", isRepeatable: true)],
    options: SessionChoice.options + [
      .valued("until", "seq", "Replay up to the event with this number."),
      .valued(
        "with", "kind",
        "Replay with controllers of this kind, such as 'queue' or 'latest', or one of them, as in "
          + "'checkout=queue'."
      ).repeatable,
    ] + WhatIfFlags.options + [
      .flag("once", "Replay once, and not a second time in a process of its own."),
      .flag("json", "Print one object of JSON."),
      .valued("junit", "file", "Write the result as JUnit XML into a file, too."),
      .valued("outcomes", "n", "For runs of its own.").hidden,
    ] + OptionSpec.output)

  let arguments: ParsedArguments
  private let whatIf: WhatIfFlags?

  init(arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    whatIf = try WhatIfFlags(arguments)
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let plan = try ReplayPlan(arguments, run)
    guard let whatIf else {
      return try go(.verifying(plan), run)
    }
    let changes = try whatIf.changes()
    let replays = ReplayRuns(plan: plan, flags: changes.words) { session, history, pin, _ in
      try WhatIfReplay(session, of: history, plan: plan, changes, pin: pin)
    }
    return try go(replays, run)
  }

  /// Replays every session of the files, as a verification or a what-if.
  private func go<Replay>(_ replays: ReplayRuns<Replay>, _ run: ToolRun) throws -> ExitCode {
    if let pin = arguments.number("outcomes") {
      return try replays.printOutcomes(run, arguments.words, pin: pin)
    }
    let junit = arguments.junit
    try arguments.output.check(apartFrom: junit)
    let delivery = try Delivery(arguments.output, run.console)
    let file = try junit.path == nil ? nil : Delivery(junit, run.console)
    var report = VerdictReport(
      Replay.words, verb: "replay", arguments, run,
      delivery: delivery)
    let statuses = try run.overFiles(arguments.words) { history in
      let outcome = try replays.replays(
        of: history, isRepeated: !arguments.has("once"), executable: run.executable)
      try report.add(outcome.replays, withJUnit: file != nil)
      for failure in outcome.failures {
        run.report(failure)
        report.add(failure, path: history.path)
      }
      return .worst(of: outcome.replays.map(\.status) + outcome.failures.map(\.status))
    } onFailure: {
      report.add($0, path: $1)
    }
    try report.finish()
    if let file {
      try file.write(report.junit.text)
      try file.finish()
    }
    return .worst(of: statuses)
  }
}
