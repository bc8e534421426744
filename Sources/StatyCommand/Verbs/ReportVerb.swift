import StatyHistory
import StatyReport

/// `staty report`: writes a history as an HTML page.
struct ReportVerb: Verb {
  static let spec = VerbSpec(
    name: "report", abstract: "Create an HTML report.",
    discussion: """
      The page is one file that needs no network: lanes to zoom, the state of every controller at \
      any moment, findings that lead to their place, and tables of the times. It contains no \
      payloads. The newest session is shown first; a menu has the others, as many of the newest as \
      have '--limit' events together. With '--replay' each session in the page is replayed as by \
      'replay', and divergences are shown side by side; the exit is 0 all the same. A session that \
      is not as it was stored is refused (65).
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: SessionChoice.options + [
      .flag("replay", "Replay the sessions, and show where they go another way."),
      .valued(
        "limit", "n",
        "How many events the page may have, the newest; 0 for all. Default: 300000."),
    ] + OptionSpec.output)

  private let path: String
  private let choice: SessionChoice
  private let isReplayed: Bool
  private let most: Int
  private let output: OutputChoice

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = arguments.arguments[0]
    choice = try SessionChoice(arguments)
    isReplayed = arguments.has("replay")
    let limit = try arguments.number("limit", in: 0...Int64.max) ?? 300_000
    most = limit == 0 ? .max : Int(clamping: limit)
    output = OutputChoice(arguments)
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let history = try OpenHistory(path, progress: run.progress)
    defer { history.noteWaiting(run) }
    let delivery = try Delivery(output, run.console)
    let pages = ReportSessions(history: history, choice: choice, most: most)
    try history.doing("Reporting on") { reader in
      let replays = isReplayed ? try replays(run, history, pages) : [:]
      let page = ReportPage(
        reader, file: history.path.lastComponent,
        made: "Made by \(run.tool) \(StatyTool.version).",
        sessions: try pages.sessions(replays), most: most)
      try page.write(where: choice.means) { try delivery.write($0) }
    }
    try delivery.finish()
    return .done
  }

  private func replays(
    _ run: ToolRun, _ history: OpenHistory, _ sessions: ReportSessions
  ) throws -> [Int64: String] {
    var replays: [Int64: String] = [:]
    for session in try sessions.inPage() {
      let plan = ReplayPlan(
        choice: SessionChoice(session: session.id, controllers: choice.controllers), last: nil,
        kinds: KindChoice(), engine: run.engine, tool: run.tool)
      let runs = ReplayRuns(plan: plan) {
        try SessionReplay($0, of: $1, plan: plan, pin: $2, isWhole: $3)
      }
      let outcome = try runs.replays(of: history, isRepeated: true, executable: run.executable)
      for failure in outcome.failures { run.report(failure) }
      replays[session.id] = try outcome.replays.first?.json(file: history.path.lastComponent).line
    }
    return replays
  }
}
