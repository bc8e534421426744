import Staty
package import StatyHistory

/// A few events as a picture: a lane for each visit, a column for each event.
///
/// ```
///                       3   4   5   6   7
/// checkout #1 loading   [===========<---]
/// checkout #2 alert         ?...........>
///                                       ^
/// ```
package struct LanePicture {
  private struct Lane: Hashable {
    let controller: Int32
    let visit: UInt32
  }

  private let rows: [EventRow]
  private let label: Label
  private let marked: Int64?
  private static let mostLanes = 10

  /// What the signs mean.
  package static let legend =
    "? asked for, > told to come in, [ is in, < told to leave, ] is out, x discarded, ! stray"

  /// What a lane is called, by the controller, the visit and its state's name.
  package typealias Label = (_ controller: Int32, _ visit: UInt32, _ state: Int32) -> String

  /// A picture of these events, which are in order.
  ///
  /// - Parameters:
  ///   - marked: the number of the event that it is about.
  ///   - label: what a lane is called; nothing in it may command a terminal.
  package init(_ rows: [EventRow], marked: Int64?, label: @escaping Label) {
    self.rows = rows.filter { $0.visit != 0 }
    self.marked = marked
    self.label = label
  }

  /// The lines of the picture; none if there is nothing to show.
  package func lines(width: Int) -> [String] {
    guard !rows.isEmpty else { return [] }
    let cell = max(4, (rows.map { "\($0.seq)".count }.max() ?? 1) + 1)
    // What the labels take is not known before the lanes are; a third of a line is the most.
    let shown = shown(most: max(1, (width - max(10, width / 3) - 2) / cell))
    let lanes = lanes(of: shown)
    let labels = lanes.map { lane in
      DisplayWidth.cut(label(lane), to: max(10, width / 3))
    }
    let margin = (labels.map(DisplayWidth.of).max() ?? 0) + 2
    var lines = [pad("", margin) + shown.map { right("\($0.seq)", cell) }.joined()]
    for (lane, label) in zip(lanes, labels) {
      let line = pad(label, margin) + self.line(lane, shown, cell)
      lines.append(line)
    }
    if let place = shown.firstIndex(where: { $0.seq == marked }) {
      let columns = (place - shown.startIndex + 1) * cell
      lines.append(pad("", margin + columns - 1) + "^")
    }
    return lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }
  }

  /// So many of the events, around the one that it is about.
  private func shown(most: Int) -> ArraySlice<EventRow> {
    guard rows.count > most else { return rows[...] }
    let place = rows.firstIndex { $0.seq == marked } ?? rows.count - 1
    // What came before explains more than what came after.
    let end = min(rows.count, place + 1 + most / 4)
    let start = max(0, end - most)
    return rows[start..<min(rows.count, start + most)]
  }

  private func lanes(of rows: ArraySlice<EventRow>) -> [Lane] {
    var lanes: [Lane] = []
    for row in rows.reversed() {
      let lane = Lane(controller: row.controller, visit: row.visit)
      if !lanes.contains(lane) { lanes.append(lane) }
      if lanes.count == Self.mostLanes { break }
    }
    return lanes.sorted { ($0.controller, $0.visit) < ($1.controller, $1.visit) }
  }

  private func label(_ lane: Lane) -> String {
    let state = rows.last { $0.controller == lane.controller && $0.visit == lane.visit }?.state ?? 0
    return label(lane.controller, lane.visit, state)
  }

  private func line(_ lane: Lane, _ shown: ArraySlice<EventRow>, _ cell: Int) -> String {
    func isOwn(_ row: EventRow) -> Bool {
      row.controller == lane.controller && row.visit == lane.visit
    }
    guard let first = shown.first(where: isOwn) else { return "" }
    var fill = Self.before(first)
    var line = ""
    for row in shown {
      line += String(repeating: fill, count: cell - 1)
      if isOwn(row) {
        let (sign, after) = Self.sign(row, fill)
        line.append(sign)
        fill = after
      } else {
        line.append(fill)
      }
    }
    return line
  }

  /// What a visit was doing before the first event that is seen of it.
  private static func before(_ row: EventRow) -> Character {
    switch EventKind(rawValue: row.kind) {
    case .entering, .discarded: "."
    case .entered, .exited: "-"
    case .exiting: "="
    default: " "
    }
  }

  /// The sign of an event, and what the visit does after it.
  private static func sign(_ row: EventRow, _ fill: Character) -> (Character, Character) {
    switch EventKind(rawValue: row.kind) {
    case .enqueued: ("?", ".")
    case .entering: (">", "-")
    case .entered: ("[", "=")
    case .exiting: ("<", "-")
    case .exited: ("]", " ")
    case .discarded: ("x", " ")
    case .stray: ("!", fill)
    case .cancelled: ("c", fill)
    case .deadline: ("d", fill)
    default: ("*", fill)
    }
  }

  private func pad(_ text: String, _ columns: Int) -> String { DisplayWidth.pad(text, to: columns) }

  private func right(_ text: String, _ columns: Int) -> String {
    DisplayWidth.pad(text, to: columns, isNumber: true)
  }
}
