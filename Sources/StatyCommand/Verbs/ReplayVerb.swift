import StatyHistory
import StatyReplay

/// `staty replay`: re-drives controllers from histories.
struct ReplayVerb: Verb {
  static let spec = VerbSpec(
    name: "replay", abstract: "Replay histories and say whether the same happens again.",
    discussion: """
      A fresh controller is told every recorded input, and what it decides is compared with what \
      was recorded. Each session is replayed twice, the second time in a process of its own.

      Exits with 0 if all was reproduced, 1 if something went another way, 2 if it cannot be said. \
      With '--with' it also tells what would have come of it.

      With '--what-if', an edit or '--assume' the session is played again instead: states take as \
      long as they took, requests come when they came, and the rules say whether what was broken \
      still is. What nobody can know is assumed, and listed. Exits with 0 if it is fixed or clean, \
      1 if it is still or newly broken, 2 if it cannot be said.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.", isRepeatable: true)],
    options: SessionChoice.options + [
      .valued("until", "seq", "Replay up to the event with this number."),
      .valued(
        "with", "kind",
        "Replay with controllers of this kind, such as 'queue' or 'latest', or one of them, as in "
          + "'checkout=queue'."
      ).repeatable,
    ] + ReplayVerb.whatIfOptions + [
      .valued("runs", "n", "How often to replay, 1 to 10. Default: 2."),
      .flag("json", "Print one object of JSON."),
      .valued("junit", "file", "Write the result as JUnit XML into a file, too."),
      .valued("outcomes", "seq", "For runs of its own.").hidden,
    ] + OptionSpec.output)

  let paths: [String]
  private let arguments: ParsedArguments
  let choice: SessionChoice
  private let last: Int64?
  let runs: Int
  let isJSON: Bool
  private let output: OutputChoice
  private let junit: OutputChoice
  private let outcomes: Int64?
  private let whatIf: WhatIfFlags?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.arguments
    self.arguments = arguments
    choice = try SessionChoice(arguments)
    last = try arguments.seq("until")
    runs = Int(try arguments.number("runs", in: 1...10) ?? 2)
    isJSON = arguments.has("json")
    output = OutputChoice(arguments)
    junit = try OutputChoice.junit(arguments)
    outcomes = try arguments.number("outcomes", in: 0...Int64.max)
    whatIf = try WhatIfFlags(arguments)
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let plan = try plan(run)
    guard let whatIf else {
      let replays = ReplayRuns(plan: plan) {
        try SessionReplay($0, of: $1, plan: plan, pin: $2, isWhole: $3)
      }
      return try go(replays, run)
    }
    let changes = try whatIf.changes()
    let replays = ReplayRuns(plan: plan, flags: changes.words) { session, history, pin, _ in
      try WhatIfReplay(session, of: history, plan: plan, changes, pin: pin)
    }
    return try go(replays, run)
  }

  private func plan(_ run: ToolRun) throws(UsageError) -> ReplayPlan {
    ReplayPlan(
      choice: choice, last: last,
      kinds: try KindChoice(arguments, choice, known: run.engine.names), engine: run.engine,
      tool: run.tool)
  }

  /// Replays every session of the files, in this way or that.
  private func go<Replay>(_ replays: ReplayRuns<Replay>, _ run: ToolRun) throws -> ExitCode {
    if let outcomes { return try replays.printOutcomes(run, paths, pin: outcomes) }
    try output.check(apartFrom: junit)
    let delivery = try Delivery(output, run.console)
    let file = try junit.path == nil ? nil : Delivery(junit, run.console)
    var report = ReplayReport<Replay>(
      isJSON: isJSON, isOne: paths.count == 1, run: run, delivery: delivery)
    var cases = file.map { _ in ReplayJUnit() }
    let statuses = try run.overFiles(paths) { history in
      let outcome = try replays.replays(of: history, runs: runs, executable: run.executable)
      for replay in outcome.replays { try cases?.add(replay) }
      try report.add(outcome.replays)
      for failure in outcome.failures {
        run.report(failure)
        cases?.add(failure, path: history.path)
      }
      return .worst(of: outcome.replays.map(\.status) + outcome.failures.map(\.status))
    } onFailure: {
      cases?.add($0, path: $1)
    }
    try report.finish()
    if let file, let cases {
      try file.write(cases.document.text)
      try file.finish()
    }
    return .worst(of: statuses)
  }
}
