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
        "with", "kind", "Replay with controllers of this kind, such as 'queue' or 'latest'."),
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
    junit = OutputChoice(path: arguments.text("junit"), of: arguments)
    outcomes = try arguments.number("outcomes", in: 0...Int64.max)
    whatIf = try WhatIfFlags(arguments)
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let plan = try plan(run)
    let delivery = try Delivery(output, run.console)
    let file = try junit.path == nil ? nil : Delivery(junit, run.console)
    if let whatIf {
      let replay = WhatIfRuns(plan: plan, flags: whatIf, changes: try whatIf.plan())
      if let outcomes { return try replay.printOutcomes(run, paths, pin: outcomes) }
      return try playAgain(run, replay, delivery, file)
    }
    if let outcomes { return try printOutcomes(run, plan, pin: outcomes) }
    var report = ReplayReport(isJSON: isJSON, isOne: paths.count == 1, run: run, delivery: delivery)
    var suites = JUnitReport()
    let statuses = try run.overFiles(paths) { history in
      let replays = try replays(of: history, plan, executable: run.executable)
      for replay in replays { try suites.add(replay) }
      try report.add(replays)
      return .worst(of: replays.map(\.status))
    } onFailure: {
      suites.add($0, path: $1)
    }
    try report.finish()
    try file?.write(suites.text)
    try file?.finish()
    return .worst(of: statuses)
  }

  private func plan(_ run: ToolRun) throws(UsageError) -> SessionReplay.Plan {
    let kind = arguments.text("with")
    let names = run.engine.names
    if let kind, !names.contains(kind) {
      let nearest = Spelling.nearest(to: kind, among: names)
      throw arguments.misuse(
        "There is no controller of the kind '\(kind)'."
          + (nearest.map { " Did you mean '\($0)'?" } ?? "")
          + " There are \(names.joined(separator: ", ")).")
    }
    return SessionReplay.Plan(
      choice: choice, last: last, policy: kind, engine: run.engine, tool: run.tool)
  }

  private func replays(
    of history: OpenHistory, _ plan: SessionReplay.Plan, executable: String?
  ) throws -> [SessionReplay] {
    try history.doing("Replaying") { reader in
      let pin = try reader.sessions().compactMap(\.lastSeq).max()
      var replays = try replays(of: history, plan, pin: pin, isChecked: true)
      ReplayRuns(of: history, plan: plan, pin: pin)
        .compare(&replays, runs: runs, executable: executable)
      if plan.policy != nil { try addWhatIf(to: &replays, pin: pin) }
      return replays
    }
  }

  private func replays(
    of history: OpenHistory, _ plan: SessionReplay.Plan, pin: Int64?, isChecked: Bool
  ) throws -> [SessionReplay] {
    let sessions = try choice.sessions(of: history)
    try choice.checkNames(sessions, of: history)
    return try sessions.map { session in
      if isChecked { try history.verify(session) }
      return try SessionReplay(
        session, of: history, plan: plan, pin: pin, isChecked: isChecked)
    }
  }

  /// Another kind of controller was named: whether it would have mended what was broken is told too.
  private func addWhatIf(to replays: inout [SessionReplay], pin: Int64?) throws {
    for place in replays.indices {
      let replay = replays[place]
      replays[place].whatIf = try WhatIfReplay(
        replay.session, of: replay.history, plan: replay.plan, .init(edits: [], assumed: nil),
        pin: pin)
    }
  }

  /// What another run wants to know: a line for each session.
  private func printOutcomes(
    _ run: ToolRun, _ plan: SessionReplay.Plan, pin: Int64
  ) throws -> ExitCode {
    .worst(
      of: try run.overFiles(paths) { history in
        try history.doing("Replaying") { _ in
          let pin = pin == 0 ? nil : pin
          for replay in try replays(of: history, plan, pin: pin, isChecked: false) {
            try run.print(replay.outcome + "\n")
          }
        }
        return .done
      })
  }
}
