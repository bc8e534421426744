import Staty
package import StatyHistory

/// A few events as a picture: a lane for each visit, a column for each event.
///
/// ```
///                       3   4   5   6   7
/// checkout #1 loading   [===========<~~~]
/// checkout #2 alert         ?...........>
///                                       ^
/// ```
package struct LanePicture {
  private let rows: [EventRow]
  private let label: Label
  private let marked: Int64?
  private static let mostLanes = 10

  /// Returns the two parts of a lane's label from its controller, visit and state.
  package typealias Label =
    (_ controller: Int32, _ visit: UInt32, _ state: Int32) -> (controller: String, visit: String)

  /// Creates a picture of events, which are in order.
  ///
  /// - Parameters:
  ///   - rows: the events.
  ///   - marked: the number of the event to mark.
  ///   - label: returns the label of a lane, without characters that could control a terminal. The name of
  ///     the controller is shortened first.
  package init(_ rows: [EventRow], marked: Int64?, label: @escaping Label) {
    self.rows = rows.filter { $0.visit != 0 }
    self.marked = marked
    self.label = label
  }

  /// The lines of the picture with its legend; empty if there is nothing to show.
  package func lines(width: Int) -> [String] {
    let (lanes, legend) = parts(width: width)
    return lanes + legend
  }

  /// The lines of the picture, and those of its legend.
  package func parts(width: Int) -> (lanes: [String], legend: [String]) {
    guard !rows.isEmpty else { return ([], []) }
    let cell = max(4, (rows.map { "\($0.seq)".count }.max() ?? 1) + 1)
    // The width of the labels is known only after the lanes are chosen. They take at most a third.
    let shown = shown(most: max(1, (width - max(10, width / 3) - 2) / cell))
    let axis = LaneAxis(shown.map(\.seq), cell: cell)
    let lanes = lanes(of: shown)
    let labels = lanes.map { label($0, most: max(10, width / 3)) }
    let margin = (labels.map(DisplayWidth.of).max() ?? 0) + 2
    var lines = [pad("", margin) + shown.map { right("\($0.seq)", cell) }.joined()]
    var characters: Set<Character> = []
    for (lane, label) in zip(lanes, labels) {
      let cells = LaneDrawing.cells(lane, on: axis)
      characters.formUnion(cells.map(\.character))
      lines.append(pad(label, margin) + String(cells.map(\.character)))
    }
    if let place = shown.firstIndex(where: { $0.seq == marked }) {
      let columns = (place - shown.startIndex + 1) * cell
      lines.append(pad("", margin + columns - 1) + "^")
    }
    return (
      lines.map { String($0.reversed().drop { $0 == " " }.reversed()) },
      LaneLegend.lines(LaneLegend.entries(of: characters), width: width)
    )
  }

  /// The picture without its legend and without a limit of width, for a page.
  package struct Strips {
    /// For each visit its label, and a character for each event.
    package var lanes: [(label: String, cells: String)]
    /// The number of events.
    package var columns: Int
    /// The place of the marked event, or of the first one after it.
    package var mark: Int
  }

  /// The picture for a page, of at most so many events.
  package func strips(most: Int) -> Strips {
    let shown = shown(most: most)
    let axis = LaneAxis(shown.map(\.seq), cell: 1)
    let lanes = lanes(of: shown).map { lane in
      (
        label: label(lane, most: .max),
        cells: String(LaneDrawing.cells(lane, on: axis).map(\.character))
      )
    }
    let mark = shown.firstIndex { $0.seq >= marked ?? .max } ?? shown.endIndex
    return Strips(lanes: lanes, columns: shown.count, mark: mark - shown.startIndex)
  }

  /// The events to show, around the marked one.
  private func shown(most: Int) -> ArraySlice<EventRow> {
    guard rows.count > most else { return rows[...] }
    let place = rows.firstIndex { $0.seq >= marked ?? .max } ?? rows.count - 1
    // Events before the marked one explain more than events after it.
    let end = min(rows.count, place + 1 + most / 4)
    let start = max(0, end - most)
    return rows[start..<min(rows.count, start + most)]
  }

  /// The visits with the latest events, with their phases from before the picture.
  private func lanes(of shown: ArraySlice<EventRow>) -> [VisitLane] {
    var keys: [VisitLane.Key] = []
    for row in shown.reversed() where keys.count < Self.mostLanes {
      let key = VisitLane.Key(controller: row.controller, visit: row.visit)
      if !keys.contains(key) { keys.append(key) }
    }
    var lanes = Dictionary(uniqueKeysWithValues: keys.map { ($0, VisitLane($0, state: 0)) })
    var fold = VisitFold()
    fold.noticesGaps = false
    for controller in Set(rows.map(\.controller)) {
      fold.add(ControllerOpening(unknown: controller))
    }
    for row in rows[..<shown.endIndex] {
      guard fold.take(row) else { continue }
      if fold.change.left != 0 {
        lanes[VisitLane.Key(controller: row.controller, visit: fold.change.left)]?
          .take(row, from: .current, to: .exited)
      }
      let (before, after) = fold.phases
      lanes[VisitLane.Key(controller: row.controller, visit: row.visit)]?
        .take(row, from: before ?? Self.phase(before: row), to: after)
    }
    return keys.sorted().compactMap { lanes[$0] }
  }

  /// The phase to draw before a visit's first event in the picture.
  private static func phase(before row: EventRow) -> LanePhase? {
    switch EventKind(rawValue: row.kind) {
    case .entered: .entering
    case .exited: .exiting
    case .discarded: .pending
    default: nil
    }
  }

  private func label(_ lane: VisitLane, most: Int) -> String {
    let key = lane.key
    let state = rows.last { $0.controller == key.controller && $0.visit == key.visit }?.state ?? 0
    let (controller, visit) = label(key.controller, key.visit, state)
    let whole = [controller, visit].filter { !$0.isEmpty }.joined(separator: " ")
    if DisplayWidth.of(whole) <= most { return whole }
    // The lanes of one controller differ in the second part alone.
    let room = most - DisplayWidth.of(visit) - 1
    if room < 3 { return DisplayWidth.cut(visit, to: most) }
    return DisplayWidth.cut(controller, to: room) + " " + visit
  }

  private func pad(_ text: String, _ columns: Int) -> String { DisplayWidth.pad(text, to: columns) }

  private func right(_ text: String, _ columns: Int) -> String {
    DisplayWidth.pad(text, to: columns, isNumber: true)
  }
}
