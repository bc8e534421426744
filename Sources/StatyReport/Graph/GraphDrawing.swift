import Staty
import StatyText

extension TransitionGraph {
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

  /// A statement for each state, and for each start that is none: its name with its shape.
  var nodes: [String] {
    let starts = Set(controller.moves.map(\.start))
    return controller.states.map(node)
      + (starts.contains(.beginning) ? [id(.beginning) + "((\" \"))"] : [])
      + (starts.contains(.anywhere) ? [id(.anywhere) + "((\"*\"))"] : [])
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
}

/// The texts of drawings.
enum GraphWords {
  /// A name, with invisible characters escaped, and shortened.
  static func name(_ text: String) -> String { text.escapedForOneLine.shortened(to: 60) }

  /// A controller: `checkout (queue)`.
  static func title(_ controller: TransitionGraph.Controller) -> String {
    let policies = controller.policies.map(name).joined(separator: ", ")
    return name(controller.name) + (policies.isEmpty ? "" : " (\(policies))")
  }

  /// The visits of a state: `3 ×, 1.2 s`; `nil` if it never entered.
  static func facts(_ state: TransitionGraph.State) -> String? {
    state.visits == 0 ? nil : facts(state.visits, state.median)
  }

  /// The number and median time of a transition: `3 ×, 340 ms`.
  static func facts(_ move: TransitionGraph.Move) -> String {
    move.standing == .unused ? "never" : facts(move.count, move.median)
  }

  private static func facts(_ count: Int, _ median: Int64?) -> String {
    "\(count) ×" + (median.map { ", " + ShortTime.text($0) } ?? "")
  }
}

/// Writes durations in a short form.
enum ShortTime {
  /// The duration with two or three significant digits: `340 ms`, `1.2 s`, `3 min 5 s`.
  static func text(_ microseconds: Int64) -> String {
    switch microseconds {
    case ..<1_000: return "\(microseconds) µs"
    case ..<10_000: return tenths(microseconds, of: 1_000) + " ms"
    case ..<1_000_000: return "\(microseconds / 1_000) ms"
    case ..<100_000_000: return tenths(microseconds, of: 1_000_000) + " s"
    case ..<7_200_000_000:
      let seconds = microseconds / 1_000_000
      return "\(seconds / 60) min \(seconds % 60) s"
    default:
      let minutes = microseconds / 60_000_000
      return "\(minutes / 60) h \(minutes % 60) min"
    }
  }

  private static func tenths(_ number: Int64, of unit: Int64) -> String {
    let tenths = (number + unit / 20) / (unit / 10)
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
