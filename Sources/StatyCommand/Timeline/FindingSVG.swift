import Staty
import StatyHistory
import StatyReplay
import StatyReport
import StatyRules

/// A picture of what happened around a finding, with one arrow from what is to blame.
///
/// Each event has the same width, because the order matters more than the time.
struct FindingSVG {
  private let scene: FindingScene
  private let axis: LaneAxis
  /// The columns of an event.
  private let cell: Int
  private let margin: Int
  private let severity: Severity

  private static let column = TimelineSVG.column
  private static let (row, line, edge) = (TimelineSVG.row, TimelineSVG.line, TimelineSVG.edge)
  private static let (columns, mostColumns) = (98, 16)

  init(_ scene: FindingScene) {
    self.scene = scene
    severity = scene.finding?.severity ?? .note
    // What follows the last event needs room, too.
    let moments = scene.rows.map(\.seq) + scene.gaps + [scene.rows[scene.rows.count - 1].seq &+ 1]
    let digits = scene.rows.map { "\($0.seq)".count }.max() ?? 1
    cell = max(digits + 1, min(Self.mostColumns, Self.columns / moments.count))
    axis = LaneAxis(moments.sorted(), cell: cell)
    let labels = scene.lanes.map { scene.words.visit($0.key.visit, $0.state) }
    margin = (min(30, labels.map { DisplayWidth.of($0) }.max() ?? 0) + 4) * Self.column
  }

  /// The whole picture.
  var text: String {
    var canvas = TimelineSVG.Canvas()
    canvas.y += Self.line
    canvas.text(heading, x: Self.edge, y: canvas.y - 6, "soft")
    var places: [Int64: (x: Int, y: Int)] = [:]
    for controller in Set(scene.rows.map(\.controller)).sorted() {
      draw(controller, on: &canvas, &places)
    }
    canvas.text(
      "event", x: Self.edge, y: canvas.y + Self.line - 4, "soft")
    for row in scene.rows {
      canvas.text("\(row.seq)", x: x(row.seq), y: canvas.y + Self.line - 4, "soft middle")
    }
    for gap in scene.gaps {
      canvas.text("…", x: x(gap), y: canvas.y + Self.line - 4, "soft middle")
    }
    canvas.y += Self.line + Self.line / 2
    let end = places[scene.guilty.seq]
    if let end, let start = scene.cause.flatMap({ places[$0.seq] }) {
      drawArrow(from: start, to: end, on: &canvas)
    }
    if let end { canvas.letter("A", x: end.x, y: end.y, severity) }
    explain(on: &canvas)
    canvas.legend()
    return canvas.picture(
      title: "\(heading) \(scene.report.subject)", width: width, style: Self.style)
  }

  private var width: Int { max(620, x(column: axis.width) + Self.edge) }

  private var heading: String {
    "Session \(scene.report.asked.session.id), \(Decimal.moment(scene.guilty.time))."
  }

  /// The middle of an event.
  private func x(_ seq: Int64) -> Int { x(column: axis.place(of: seq)) + Self.column / 2 }

  private func x(column: Int) -> Int { Self.edge + margin + column * Self.column }
}

// From top to bottom.
extension FindingSVG {
  /// A controller: the messages that it received, and its visits.
  private func draw(
    _ controller: Int32, on canvas: inout TimelineSVG.Canvas,
    _ places: inout [Int64: (x: Int, y: Int)]
  ) {
    let lanes = scene.lanes.filter { $0.key.controller == controller }
    let shown = Set(lanes.map(\.key))
    let loose = scene.rows.filter { row in
      row.controller == controller
        && !shown.contains(VisitLane.Key(controller: controller, visit: row.visit))
    }
    canvas.y += Self.line
    canvas.text(
      DisplayWidth.cut(scene.words.controller(controller), to: 60), x: Self.edge,
      y: canvas.y - 4, "bold")
    // Names of neighbors are on two lines, so that they have the room of two.
    let bottom = canvas.y + 2 * Self.line + Self.row * lanes.count
    for (place, row) in loose.enumerated() {
      let isUpper = place % 2 == 0
      let name = scene.words.visit(row.visit, row.state)
      let label = DisplayWidth.cut(name.isEmpty ? row.happening : name, to: 2 * cell - 1)
      let y = canvas.y + (isUpper ? 0 : Self.line) + Self.line - 6
      canvas.text(label, x: x(row.seq), y: y, "middle")
      canvas.lines.append(
        "<line x1=\"\(x(row.seq))\" y1=\"\(y + 4)\" x2=\"\(x(row.seq))\" y2=\"\(bottom)\" class=\"tick\"/>"
      )
      places[row.seq] = (x(row.seq), y + 6)
    }
    if !loose.isEmpty { canvas.y += 2 * Self.line }
    for lane in lanes {
      draw(lane, on: &canvas)
      for step in lane.steps where scene.rows.contains(where: { $0.seq == step.seq }) {
        places[step.seq] = (x(step.seq), canvas.y - Self.row / 2)
      }
    }
  }

  private func draw(_ lane: VisitLane, on canvas: inout TimelineSVG.Canvas) {
    let label = DisplayWidth.cut(scene.words.visit(lane.key.visit, lane.state), to: 30)
    canvas.text(
      label, x: Self.edge + Self.column, y: canvas.y + Self.row / 2 + 4, "")
    let cells = LaneDrawing.cells(lane, on: axis)
    let isGuilty =
      lane.key
      == VisitLane.Key(controller: scene.guilty.controller, visit: scene.guilty.visit)
    // What is wrong begins with the finding.
    let from = isGuilty && scene.finding != nil ? axis.place(of: scene.guilty.seq) : axis.width
    for run in TimelineSVG.runs(cells) {
      // Only what is on screen is drawn otherwise then.
      let split = run.phase == .current ? max(0, from) : axis.width
      for (columns, kind) in [(0..<split, "shown"), (split..<axis.width, severity.rawValue)] {
        let part = run.columns.clamped(to: columns)
        if part.isEmpty { continue }
        canvas.bar(
          run.phase, x: x(column: part.lowerBound), width: part.count * Self.column,
          top: canvas.y, shown: kind)
      }
    }
    for (place, cell) in cells.enumerated()
    where cell.ink == .sign && (cell.character == "x" || cell.character == "!") {
      canvas.text(
        String(cell.character), x: x(column: place) + Self.column / 2,
        y: canvas.y + Self.row / 2 + 4, "middle bold")
    }
    canvas.y += Self.row
  }

  /// The arrow comes down or up from the cause and reaches its target from the side.
  private func drawArrow(
    from start: (x: Int, y: Int), to end: (x: Int, y: Int),
    on canvas: inout TimelineSVG.Canvas
  ) {
    let side = end.x < start.x ? -1 : 1
    let tip = end.x - side * 10
    // In one lane it has to go around what is drawn there.
    let bend = start.y == end.y ? start.y + Self.row : end.y
    let target = start.y == end.y ? end.y + 8 : end.y
    let curve =
      "M \(start.x) \(start.y) C \(start.x) \(bend), \(start.x) \(bend), \(tip - side * 8) \(target)"
    for kind in ["halo", "arrow"] {
      canvas.lines.append("<path class=\"\(kind)\" d=\"\(curve)\"/>")
    }
    canvas.lines.append(
      "<path class=\"tip\" d=\"M \(tip) \(target) l \(-side * 11) -6 l 0 12 Z\"/>")
  }

  private func explain(on canvas: inout TimelineSVG.Canvas) {
    var sentences = [scene.report.subject]
    if let cause = scene.cause {
      let name = scene.words.visit(cause.visit, cause.state)
      sentences.append(
        "The arrow comes from event \(cause.seq), \(cause.happening)"
          + (name.isEmpty ? "." : " \(name)."))
    }
    if scene.report.why.nearest != nil { sentences.append(scene.report.nearest) }
    for (place, sentence) in sentences.enumerated() {
      let lines = TextWrap.lines(sentence, width: (width - 3 * Self.edge) / Self.column)
      for (number, line) in lines.enumerated() {
        canvas.y += Self.line
        if place == 0, number == 0 {
          canvas.text("A", x: Self.edge, y: canvas.y - 4, "bold \(severity.rawValue)-text")
        }
        canvas.text(line, x: Self.edge + 3 * Self.column, y: canvas.y - 4, "")
      }
    }
  }

  private static let style = """
    .tick { stroke: #66666d; stroke-width: 1; stroke-dasharray: 2 3; }
    .arrow { fill: none; stroke: #bf2f24; stroke-width: 2.5; } .tip { fill: #bf2f24; }
    .halo { fill: none; stroke: #fbfbfa; stroke-width: 6; }
    @media (prefers-color-scheme: dark) {
      .tick { stroke: #a0a0a8; } .halo { stroke: #151517; }
      .arrow { stroke: #ff8175; } .tip { fill: #ff8175; }
    }
    """
}
