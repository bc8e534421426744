import StatyHistory
import StatyReport

/// `staty graph`: a drawing of states and the moves between them.
struct GraphVerb: Verb {
  static let spec = VerbSpec(
    name: "graph", abstract: "Draw states and transitions as a graph.",
    discussion: """
      Each transition has its count and the median of its time, from the request until the state has \
      entered; each state has its count and the median of its time on screen. All sessions of the file \
      are drawn together unless one is named.

      Where a controller keeps to routes, those that were never taken are dashed, and transitions that \
      no route declares are red. The text is a flowchart of Mermaid, which many draw in Markdown.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: SessionChoice.options + OptionSpec.output)

  let arguments: ParsedArguments

  func run(_ run: ToolRun) throws -> ExitCode {
    let history = try OpenHistory(arguments.path, progress: run.progress)
    defer { history.noteWaiting(run) }
    let delivery = try Delivery(arguments.output, run.console)
    let graph = try history.doing("Drawing") { reader in
      let choice = SessionChoice(arguments)
      let sessions = try choice.sessions(of: history, verifying: false)
      try choice.checkNames(sessions, of: history)
      history.noteDamage(sessions, run)
      return try TransitionGraph(reader, sessions) { choice.means($0) }
    }
    if graph.controllers.isEmpty { run.note("No controller was recorded.") }
    try delivery.write(graph.mermaid)
    try delivery.finish()
    return .done
  }
}
