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
      no route declares are red. 'dot' is Graphviz's language, 'mermaid' that of flowcharts in Markdown.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: SessionChoice.options + [
      .valued(
        "format", "form", choices: Form.allCases.map(\.rawValue),
        "What to write: dot or mermaid. Default: dot.")
    ] + OptionSpec.output)

  /// The formats.
  enum Form: String, CaseIterable {
    case dot, mermaid
  }

  private let path: String
  private let form: Form
  private let choice: SessionChoice
  private let output: OutputChoice

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = arguments.arguments[0]
    form = try arguments.choice("format") ?? .dot
    choice = try SessionChoice(arguments)
    output = OutputChoice(arguments)
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let history = try OpenHistory(path, progress: run.progress)
    defer { history.noteWaiting(run) }
    let delivery = try Delivery(output, run.console)
    let graph = try history.doing("Drawing") { reader in
      let sessions = try choice.sessions(of: history, verifying: false)
      try choice.checkNames(sessions, of: history)
      history.noteDamage(sessions, run)
      return try TransitionGraph(reader, sessions) { choice.means($0) }
    }
    if graph.controllers.isEmpty { run.note("No controller was recorded.") }
    try delivery.write(form == .dot ? graph.dot : graph.mermaid)
    try delivery.finish()
    return .done
  }
}
