extension RouteTable {
  /// The table as a Graphviz graph.
  ///
  /// Unreachable states are dashed.
  public var dot: String {
    var lines = ["digraph routes {", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
    let reached = reachable
    for state in states {
      let mark = reached.contains(state) ? "" : ", style=\"rounded,dashed\", color=gray"
      lines.append("  \(id(of: state)) [label=\(DrawingText.dot(state.description))\(mark)];")
    }
    if starts(at: .beginning) { lines.append("  start [shape=point];") }
    if starts(at: .anywhere) { lines.append("  anywhere [label=\"*\", shape=circle];") }
    for route in routes {
      let label = route.label.isEmpty ? "" : " [label=\(DrawingText.dot(route.label))]"
      lines.append("  \(id(of: route.start, beginning: "start")) -> \(id(of: route.to))\(label);")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// The table as a Mermaid state diagram.
  ///
  /// Unreachable states are grey.
  public var mermaid: String {
    var lines = ["stateDiagram-v2"]
    for state in states {
      lines.append("  state \"\(DrawingText.mermaid(state.description))\" as \(id(of: state))")
    }
    if starts(at: .anywhere) { lines.append("  state \"*\" as anywhere") }
    for route in routes {
      let label = route.label.isEmpty ? "" : " : \(DrawingText.mermaid(route.label))"
      lines.append("  \(id(of: route.start, beginning: "[*]")) --> \(id(of: route.to))\(label)")
    }
    let unreached = states.filter { !reachable.contains($0) }
    if !unreached.isEmpty {
      lines.append("  classDef unreached stroke-dasharray: 4 4, color: gray")
      lines.append("  class \(unreached.map { id(of: $0) }.joined(separator: ",")) unreached")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The states that can be reached from the beginning.
  public var reachable: Set<StateName> {
    var reached: Set<StateName> = []
    var found = routes.filter { $0.start == .beginning || $0.start == .anywhere }.map(\.to)
    while let state = found.popLast() {
      guard reached.insert(state).inserted else { continue }
      found += routes.filter { $0.start == .state(state) }.map(\.to)
    }
    return reached
  }

  private func starts(at start: Route.Start) -> Bool {
    routes.contains { $0.start == start }
  }
}

extension Route {
  fileprivate var label: String {
    var parts: [String] = []
    if let asked { parts.append(asked.description) }
    if let needs { parts.append("(\(needs))") }
    if let guarding { parts.append("[\(guarding)]") }
    return parts.joined(separator: " ")
  }
}

extension RouteTable {
  // States are identified by their place in the table, so that a name cannot break the syntax.
  private func id(of state: StateName) -> String { "s\(states.firstIndex(of: state) ?? 0)" }

  private func id(of start: Route.Start, beginning: String) -> String {
    switch start {
    case .beginning: beginning
    case .state(let name): id(of: name)
    case .anywhere: "anywhere"
    }
  }
}
