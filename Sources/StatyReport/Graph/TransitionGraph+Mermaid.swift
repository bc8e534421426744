import Staty

extension TransitionGraph {
  /// The graph as a Mermaid flowchart, because Mermaid's state diagrams have no dashed or colored
  /// arrows.
  ///
  /// Unused routes are dashed, undeclared transitions are red. States are identified by their
  /// place, so that a name cannot break the syntax.
  package var mermaid: String {
    var lines = ["flowchart LR"]
    var arrows = 0
    var undeclared: [Int] = []
    var unseen: [String] = []
    for (place, controller) in controllers.enumerated() {
      let part = MermaidLines(controller, prefix: "c\(place)")
      let title = DrawingText.mermaid(GraphWords.title(controller))
      lines.append("  subgraph c\(place)[\"\(title)\"]")
      lines += part.nodes.map { "    " + $0 }
      for move in controller.moves {
        lines.append("    " + part.arrow(move))
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

/// The statements of one controller.
private struct MermaidLines {
  private let controller: TransitionGraph.Controller
  private let prefix: String
  private let places: [String: Int]

  init(_ controller: TransitionGraph.Controller, prefix: String) {
    self.controller = controller
    self.prefix = prefix
    places = Dictionary(
      controller.states.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  var nodes: [String] {
    let starts = Set(controller.moves.map(\.start))
    return controller.states.map(node)
      + (starts.contains(.beginning) ? ["\(id(.beginning))((\" \"))"] : [])
      + (starts.contains(.anywhere) ? ["\(id(.anywhere))((\"*\"))"] : [])
  }

  /// The states without a visit.
  var unseen: [String] { controller.states.filter { $0.visits == 0 }.map { id($0.name) } }

  func arrow(_ move: TransitionGraph.Move) -> String {
    let line = move.standing == .unused ? "-.->" : "-->"
    return "\(id(move.start)) \(line)|\"\(GraphWords.facts(move))\"| \(id(move.to))"
  }

  private func node(_ state: TransitionGraph.State) -> String {
    let facts = GraphWords.facts(state).map { "<br/>\($0)" } ?? ""
    return "\(id(state.name))(\"\(DrawingText.mermaid(GraphWords.name(state.name)))\(facts)\")"
  }

  private func id(_ state: String) -> String { "\(prefix)s\(places[state] ?? 0)" }

  private func id(_ start: TransitionGraph.Start) -> String {
    switch start {
    case .beginning: "\(prefix)beginning"
    case .state(let name): id(name)
    case .anywhere: "\(prefix)anywhere"
    }
  }
}
