import Staty
package import StatyHistory
import StatyText

/// Events as text for diffs: one line per event, indented below its cause, without numbers and
/// times.
///
/// ```
/// enqueued loading
///   entering loading
/// entered loading
/// ```
///
/// A visit is named by its state. From the second visit of a state on, its number among them
/// follows. So an extra line does not change the later ones.
package struct HistoryText {
  private let names: [Int32: String]
  private let controllers: [Int32: String]
  private var depths: [Int64: Int] = [:]
  private var labels: [VisitLane.Key: String] = [:]
  private var counts: [Count: Int] = [:]
  /// The lines so far.
  private(set) var lines: [String] = []

  private struct Count: Hashable {
    let controller: Int32
    let name: String
  }

  /// Creates an empty text.
  ///
  /// - Parameters:
  ///   - controllers: the controllers of the session. If there are several, lines begin with their
  ///     names.
  ///   - names: the names of the states by their numbers.
  package init(controllers: [ControllerRecord], names: [Int32: String]) {
    self.names = names
    self.controllers =
      controllers.count < 2
      ? [:]
      : Dictionary(controllers.map { ($0.id, $0.name.escapedForOneLine) }) { first, _ in first }
  }

  /// Adds an event.
  ///
  /// - Parameters:
  ///   - row: the event.
  ///   - note: the text of a mark.
  package mutating func take(_ row: EventRow, note: String? = nil) {
    guard let kind = EventKind(rawValue: row.kind) else { return }
    if kind == .attached || kind == .detached { return }
    let depth = row.cause == 0 ? 0 : depths[row.cause].map { $0 + 1 } ?? 0
    depths[row.seq] = depth
    var words = [controllers[row.controller].map { "\($0):" }, kind.text].compactMap(\.self)
    if row.visit != 0 {
      words.append(label(row))
    } else if let name = names[row.state] {
      words.append(name.escapedForOneLine)
    }
    if let reason = EventReason(kind: kind, code: row.reason)?.text { words.append("(\(reason))") }
    if let note { words.append("\"\(note.escapedForOneLine)\"") }
    lines.append(String(repeating: "  ", count: depth) + words.joined(separator: " "))
  }

  /// The name of a visit.
  mutating func label(_ row: EventRow) -> String {
    let visit = VisitLane.Key(controller: row.controller, visit: row.visit)
    if let known = labels[visit] { return known }
    let name = names[row.state].map(\.escapedForOneLine) ?? "?"
    let count = Count(controller: row.controller, name: name)
    counts[count, default: 0] += 1
    let number = counts[count] ?? 1
    labels[visit] = number == 1 ? name : "\(name) (\(number))"
    return labels[visit] ?? name
  }

  /// All lines.
  package var text: String { lines.map { $0 + "\n" }.joined() }
}
