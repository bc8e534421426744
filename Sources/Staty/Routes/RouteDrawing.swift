extension RouteTable {
  /// The table as a Graphviz graph.
  ///
  /// Unreachable states are dashed.
  public var dot: String {
    var lines = ["digraph routes {", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
    let reached = reachable
    for state in states {
      let mark = reached.contains(state) ? "" : ", style=\"rounded,dashed\", color=gray"
      lines.append("  \(dotID(state)) [label=\(DrawingText.dot(state.description))\(mark)];")
    }
    if starts(at: .beginning) { lines.append("  start [shape=point];") }
    if starts(at: .anywhere) { lines.append("  anywhere [label=\"*\", shape=circle];") }
    for route in routes {
      let label = route.label.isEmpty ? "" : " [label=\(DrawingText.dot(route.label))]"
      lines.append("  \(dotStart(route.start)) -> \(dotID(route.to))\(label);")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// The table as a Mermaid state diagram.
  ///
  /// Unreachable states are grey.
  public var mermaid: String {
    var lines = ["stateDiagram-v2"]
    for state in states {
      lines.append("  state \"\(DrawingText.mermaid(state.description))\" as \(mermaidID(state))")
    }
    if starts(at: .anywhere) { lines.append("  state \"*\" as anywhere") }
    for route in routes {
      let label = route.label.isEmpty ? "" : " : \(DrawingText.mermaid(route.label))"
      lines.append("  \(mermaidStart(route.start)) --> \(mermaidID(route.to))\(label)")
    }
    let unreached = states.filter { !reachable.contains($0) }
    if !unreached.isEmpty {
      lines.append("  classDef unreached stroke-dasharray: 4 4, color: gray")
      lines.append("  class \(unreached.map(mermaidID).joined(separator: ",")) unreached")
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
  private func place(_ state: StateName) -> Int { states.firstIndex(of: state) ?? 0 }
  private func dotID(_ state: StateName) -> String { "s\(place(state))" }
  private func mermaidID(_ state: StateName) -> String { "s\(place(state))" }

  private func dotStart(_ start: Route.Start) -> String {
    switch start {
    case .beginning: "start"
    case .state(let name): dotID(name)
    case .anywhere: "anywhere"
    }
  }

  private func mermaidStart(_ start: Route.Start) -> String {
    switch start {
    case .beginning: "[*]"
    case .state(let name): mermaidID(name)
    case .anywhere: "anywhere"
    }
  }
}
