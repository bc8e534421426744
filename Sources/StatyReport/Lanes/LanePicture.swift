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

  /// What the signs mean.
  package static var legend: String { LaneDrawing.legend }

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
    let axis = LaneAxis(shown.map(\.seq), cell: cell)
    let lanes = lanes(of: shown)
    let labels = lanes.map { lane in
      DisplayWidth.cut(label(lane), to: max(10, width / 3))
    }
    let margin = (labels.map(DisplayWidth.of).max() ?? 0) + 2
    var lines = [pad("", margin) + shown.map { right("\($0.seq)", cell) }.joined()]
    for (lane, label) in zip(lanes, labels) {
      let cells = LaneDrawing.cells(lane, on: axis)
      lines.append(pad(label, margin) + String(cells.map(\.character)))
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

  /// The visits that something happened to last, with what happened to them before there is room.
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

  /// How far a visit of which nothing is seen before this event is drawn up to it: the picture begins
  /// in its midst.
  private static func phase(before row: EventRow) -> LanePhase? {
    switch EventKind(rawValue: row.kind) {
    case .entered: .entering
    case .exited: .exiting
    case .discarded: .pending
    default: nil
    }
  }

  private func label(_ lane: VisitLane) -> String {
    let (controller, visit) = (lane.key.controller, lane.key.visit)
    let state = rows.last { $0.controller == controller && $0.visit == visit }?.state ?? 0
    return label(controller, visit, state)
  }

  private func pad(_ text: String, _ columns: Int) -> String { DisplayWidth.pad(text, to: columns) }

  private func right(_ text: String, _ columns: Int) -> String {
    DisplayWidth.pad(text, to: columns, isNumber: true)
  }
}
