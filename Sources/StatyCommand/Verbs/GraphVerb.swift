import StatyHistory
import StatyReport

/// `staty graph`: states and the moves between them as a drawing.
struct GraphVerb: Verb {
  static let spec = VerbSpec(
    name: "graph", abstract: "Draw states and the moves between them.",
    discussion: """
      Each move has how often it was made and the median of the times that it took, from the request \
      until the state was in; each state has how many visits were in, and the median of how long. \
      All sessions of the file are drawn together unless one is named.

      Where a controller keeps to routes, those that nobody took are dashed, and moves that no route \
      declares are red. 'dot' is Graphviz's language, 'mermaid' that of flowcharts in Markdown; 'svg' \
      needs Graphviz's program 'dot' and exits with 73 if there is none.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: SessionChoice.options + [
      .valued(
        "format", "form", choices: Form.allCases.map(\.rawValue),
        "What to write: dot, mermaid or svg. Default: dot.")
    ] + OptionSpec.output)

  /// What can be written.
  enum Form: String, CaseIterable {
    case dot, mermaid, svg
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
    // Who has no Graphviz is told before the work.
    let graphviz = form == .svg ? try Graphviz() : nil
    let delivery = try Delivery(output, run.console)
    let graph = try history.doing("Drawing") { reader in
      let sessions = try choice.sessions(of: history, verifying: false)
      try choice.checkNames(sessions, of: history)
      history.noteDamage(sessions, run)
      return try TransitionGraph(reader, sessions) { choice.means($0) }
    }
    if graph.controllers.isEmpty { run.note("No controller was recorded.") }
    switch form {
    case .dot: try delivery.write(graph.dot)
    case .mermaid: try delivery.write(graph.mermaid)
    case .svg: try graphviz?.draw(graph.dot) { try delivery.write($0) }
    }
    try delivery.finish()
    return .done
  }
}
