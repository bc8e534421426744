import Staty

// The graph in the languages of other programs.
extension TransitionGraph {
  /// The graph in the Graphviz language.
  ///
  /// Unused routes are dashed, undeclared transitions are red.
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
      lines += DrawnController(controller, place: place).dot.map { "    " + $0 }
      lines.append("  }")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// The graph as a Mermaid flowchart, because Mermaid's state diagrams have no dashed or colored
  /// arrows.
  ///
  /// Unused routes are dashed, undeclared transitions are red.
  package var mermaid: String {
    var lines = ["flowchart LR"]
    var arrows = 0
    var undeclared: [Int] = []
    var unseen: [String] = []
    for (place, controller) in controllers.enumerated() {
      let part = DrawnController(controller, place: place)
      let title = DrawingText.mermaid(GraphWords.title(controller))
      lines.append("  subgraph c\(place)[\"\(title)\"]")
      lines += part.mermaidNodes.map { "    " + $0 }
      for move in controller.moves {
        lines.append("    " + part.mermaidArrow(move))
        if move.standing == .undeclared { undeclared.append(arrows) }
        arrows += 1
      }
      lines.append("  end")
      unseen += part.unseen
    }
    if !undeclared.isEmpty {
      let numbers = undeclared.map(String.init).joined(separator: ",")
      lines.append("  linkStyle \(numbers) stroke:#c62828,color:#c62828")
    }
    if !unseen.isEmpty {
      lines.append("  classDef unseen stroke-dasharray:4 4,color:gray")
      lines.append("  class \(unseen.joined(separator: ",")) unseen")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// One controller of a drawing, with a name for each of its states and starts.
///
/// States are identified by their place, so that a name cannot break the syntax.
struct DrawnController {
  let controller: TransitionGraph.Controller
  private let prefix: String
  private let places: [String: Int]

  init(_ controller: TransitionGraph.Controller, place: Int) {
    self.controller = controller
    prefix = "c\(place)"
    places = Dictionary(
      controller.states.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func id(_ state: String) -> String { "\(prefix)s\(places[state] ?? 0)" }

  func id(_ start: TransitionGraph.Start) -> String {
    switch start {
    case .beginning: "\(prefix)beginning"
    case .state(let name): id(name)
    case .anywhere: "\(prefix)anywhere"
    }
  }

  /// A statement for each start that is no state: its name with its shape.
  func starts(beginning: String, anywhere: String) -> [String] {
    let starts = Set(controller.moves.map(\.start))
    return (starts.contains(.beginning) ? [id(.beginning) + beginning] : [])
      + (starts.contains(.anywhere) ? [id(.anywhere) + anywhere] : [])
  }
}

// Graphviz.
extension DrawnController {
  var dot: [String] {
    controller.states.map(dotNode)
      + starts(
        beginning: " [shape=point, label=\"\"];", anywhere: " [label=\"*\", shape=circle];")
      + controller.moves.map(dotEdge)
  }

  private func dotNode(_ state: TransitionGraph.State) -> String {
    // An unescaped `\n` separates the lines of a label.
    var label = String(DrawingText.dot(GraphWords.name(state.name)).dropLast())
    if let facts = GraphWords.facts(state) { label += "\\n\(facts)" }
    let mark = state.visits == 0 ? ", style=\"rounded,dashed\", color=gray, fontcolor=gray" : ""
    return "\(id(state.name)) [label=\(label)\"\(mark)];"
  }

  private func dotEdge(_ move: TransitionGraph.Move) -> String {
    let mark =
      switch move.standing {
      case .free, .declared: ""
      case .unused: ", style=dashed, color=gray, fontcolor=gray"
      case .undeclared: ", color=\"#c62828\", fontcolor=\"#c62828\", penwidth=2"
      }
    return "\(id(move.start)) -> \(id(move.to)) [label=\"\(GraphWords.facts(move))\"\(mark)];"
  }
}

// Mermaid.
extension DrawnController {
  var mermaidNodes: [String] {
    controller.states.map(mermaidNode)
      + starts(beginning: "((\" \"))", anywhere: "((\"*\"))")
  }

  /// The states without a visit.
  var unseen: [String] { controller.states.filter { $0.visits == 0 }.map { id($0.name) } }

  func mermaidArrow(_ move: TransitionGraph.Move) -> String {
    let line = move.standing == .unused ? "-.->" : "-->"
    return "\(id(move.start)) \(line)|\"\(GraphWords.facts(move))\"| \(id(move.to))"
  }

  private func mermaidNode(_ state: TransitionGraph.State) -> String {
    let facts = GraphWords.facts(state).map { "<br/>\($0)" } ?? ""
    return "\(id(state.name))(\"\(DrawingText.mermaid(GraphWords.name(state.name)))\(facts)\")"
  }
}
