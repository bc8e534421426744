import Staty

extension TransitionGraph {
  /// The graph in the Graphviz language.
  ///
  /// Unused routes are dashed, undeclared transitions are red. States are identified by their
  /// place, so that a name cannot break the syntax.
  package var dot: String {
    var lines = [
      "digraph staty {", "  rankdir=LR;", "  fontname=\"Helvetica,Arial,sans-serif\";",
      "  node [shape=box, style=rounded, fontname=\"Helvetica,Arial,sans-serif\"];",
      "  edge [fontname=\"Helvetica,Arial,sans-serif\", fontsize=10];",
    ]
    for (place, controller) in controllers.enumerated() {
      lines.append("  subgraph cluster_\(place) {")
      lines.append("    label=\(DrawingText.dot(GraphWords.title(controller)));")
      lines.append("    color=gray;")
      lines += DOTLines(controller, prefix: "c\(place)").all.map { "    " + $0 }
      lines.append("  }")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }
}

/// The statements of one controller.
private struct DOTLines {
  private let controller: TransitionGraph.Controller
  private let prefix: String
  private let places: [String: Int]

  init(_ controller: TransitionGraph.Controller, prefix: String) {
    self.controller = controller
    self.prefix = prefix
    places = Dictionary(
      controller.states.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  var all: [String] { controller.states.map(node) + starts + controller.moves.map(edge) }

  private func id(_ state: String) -> String { "\(prefix)s\(places[state] ?? 0)" }

  private func id(_ start: TransitionGraph.Start) -> String {
    switch start {
    case .beginning: "\(prefix)beginning"
    case .state(let name): id(name)
    case .anywhere: "\(prefix)anywhere"
    }
  }

  private func node(_ state: TransitionGraph.State) -> String {
    // An unescaped `\n` separates the lines of a label.
    var label = String(DrawingText.dot(GraphWords.name(state.name)).dropLast())
    if let facts = GraphWords.facts(state) { label += "\\n\(facts)" }
    let mark = state.visits == 0 ? ", style=\"rounded,dashed\", color=gray, fontcolor=gray" : ""
    return "\(id(state.name)) [label=\(label)\"\(mark)];"
  }

  private var starts: [String] {
    let starts = Set(controller.moves.map(\.start))
    return (starts.contains(.beginning) ? ["\(id(.beginning)) [shape=point, label=\"\"];"] : [])
      + (starts.contains(.anywhere) ? ["\(id(.anywhere)) [label=\"*\", shape=circle];"] : [])
  }

  private func edge(_ move: TransitionGraph.Move) -> String {
    let mark =
      switch move.standing {
      case .free, .declared: ""
      case .unused: ", style=dashed, color=gray, fontcolor=gray"
      case .undeclared: ", color=\"#c62828\", fontcolor=\"#c62828\", penwidth=2"
      }
    return "\(id(move.start)) -> \(id(move.to)) [label=\"\(GraphWords.facts(move))\"\(mark)];"
  }
}
