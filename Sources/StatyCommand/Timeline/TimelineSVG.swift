import StatyReport
import StatyRules

/// A timeline as an SVG picture: the same lanes and letters as in a terminal.
///
/// It uses no font or file from elsewhere, runs no script, and has colors for light and for dark
/// pages.
struct TimelineSVG {
  private let layouts: [TimelineLayout]
  private let margin: Int

  /// The number of columns for events.
  private static let columns = 100
  // In pixels: a column is as wide as a letter of the ruler, so that its times fit.
  static let (column, row, line, edge) = (7, 26, 19, 16)
  /// The width behind the last column, for the signs of stuck visits.
  private static let beside = 44
  private static let lettersPerLine = 112

  init(_ timelines: [SessionTimeline]) {
    layouts = timelines.map { TimelineLayout($0, width: Self.columns) }
    let labels = timelines.flatMap { timeline in timeline.lanes.lanes.map { timeline.called($0) } }
    margin = (min(30, labels.map { DisplayWidth.of($0) }.max() ?? 0) + 4) * Self.column
  }

  /// The whole picture.
  var text: String {
    var canvas = Canvas()
    for layout in layouts { draw(layout, on: &canvas) }
    return canvas.picture(
      title: layouts.map(\.timeline.heading).joined(separator: " "),
      width: x(Self.columns) + Self.beside + Self.edge)
  }

  /// What has been drawn, and how far down.
  struct Canvas {
    var lines: [String] = []
    var y = TimelineSVG.edge

    mutating func text(_ text: String, x: Int, y: Int, _ classes: String, wide: Int? = nil) {
      guard !text.isEmpty else { return }
      // A fixed width, so that the text also fits in a wider font.
      let length = wide.map { " textLength=\"\($0)\" lengthAdjust=\"spacingAndGlyphs\"" } ?? ""
      lines.append(
        "<text x=\"\(x)\" y=\"\(y)\" class=\"\(classes)\"\(length)>\(XMLText.escaped(text))</text>")
    }

    mutating func box(x: Int, y: Int, width: Int, height: Int, _ classes: String) {
      lines.append(
        "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" class=\"\(classes)\"/>"
      )
    }

    /// A bar for the time in which a visit has one phase.
    ///
    /// - Parameter shown: the class of a visit that is on screen.
    mutating func bar(
      _ phase: LanePhase, x: Int, width: Int, top: Int, shown: String = "shown"
    ) {
      switch phase {
      case .pending: box(x: x, y: top + TimelineSVG.row / 2 - 1, width: width, height: 3, "waits")
      case .entering, .exiting:
        box(x: x, y: top + 7, width: width, height: TimelineSVG.row - 14, "moves")
      case .current: box(x: x, y: top + 4, width: width, height: TimelineSVG.row - 8, shown)
      case .exited, .discarded: break
      }
    }

    mutating func letter(_ letter: String, x: Int, y: Int, _ severity: Severity) {
      lines.append(
        "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"9\" class=\"\(severity.rawValue)\"/>")
      text(letter, x: x, y: y + 4, "letter")
    }

    /// The meanings of the bars.
    mutating func legend() {
      y += TimelineSVG.line + TimelineSVG.line / 2
      var place = TimelineSVG.edge
      let entries = [("waits", "waits"), ("moves", "entering, or exiting"), ("shown", "on screen")]
      for (kind, meaning) in entries {
        let height = kind == "waits" ? 3 : 10
        box(x: place, y: y - 9 + (10 - height) / 2, width: 21, height: height, kind)
        text(meaning, x: place + 27, y: y, "soft")
        place += 27 + (meaning.count + 4) * TimelineSVG.column
      }
    }

    /// The whole picture.
    ///
    /// - Parameter more: further lines of style.
    func picture(title: String, width: Int, style more: String? = nil) -> String {
      let height = y + TimelineSVG.edge
      return """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
        viewBox="0 0 \(width) \(height)" role="img">
        <title>\(XMLText.escaped(title))</title>
        <style>
        \(TimelineSVG.style)\(more.map { "\n" + $0 } ?? "")
        </style>
        <rect class="back" width="\(width)" height="\(height)" rx="8"/>
        \(lines.joined(separator: "\n"))
        </svg>

        """
    }
  }
}

// From top to bottom.
extension TimelineSVG {
  private func draw(_ layout: TimelineLayout, on canvas: inout Canvas) {
    let timeline = layout.timeline
    canvas.y += Self.line
    canvas.text(timeline.heading, x: Self.edge, y: canvas.y - 6, "soft")
    drawRuler(layout, on: &canvas)
    drawNotes(layout, on: &canvas)
    for (id, lanes) in timeline.controllers {
      canvas.y += Self.line
      // What isolates a text would be escaped like any other character that is invisible.
      let name = timeline.name(of: id, isIsolated: false)
      canvas.text(
        DisplayWidth.cut(name, to: 80), x: Self.edge, y: canvas.y - 4, "bold")
      for lane in lanes { draw(lane, layout, on: &canvas) }
    }
    canvas.y += Self.line / 2
    explain(layout, on: &canvas)
    canvas.legend()
  }

  private func drawRuler(_ layout: TimelineLayout, on canvas: inout Canvas) {
    canvas.y += Self.line
    for (column, words) in TimelineRuler(layout.axis).labels {
      canvas.text(
        words, x: x(column), y: canvas.y - 6, "mono soft", wide: words.count * Self.column)
    }
  }

  /// The app's marks, and where events are missing.
  private func drawNotes(_ layout: TimelineLayout, on canvas: inout Canvas) {
    guard let notes = TimelineNotes(layout) else { return }
    canvas.y += Self.line
    canvas.text("marks", x: Self.edge + Self.column, y: canvas.y - 6, "soft")
    for (column, words) in notes.words {
      canvas.text(
        words, x: x(column), y: canvas.y - 6, "mono soft", wide: words.count * Self.column)
    }
  }

  private func draw(_ lane: VisitLane, _ layout: TimelineLayout, on canvas: inout Canvas) {
    let (top, middle) = (canvas.y, canvas.y + Self.row / 2)
    let label = DisplayWidth.cut(layout.timeline.called(lane), to: 30)
    canvas.text(label, x: Self.edge + Self.column, y: middle + 4, "")
    let cells = layout.cells(lane)
    for run in Self.runs(cells) {
      canvas.bar(
        run.phase, x: x(run.columns.lowerBound), width: run.columns.count * Self.column, top: top)
    }
    for (place, cell) in cells.enumerated() {
      let center = x(place) + Self.column / 2
      if cell.ink == .unknown {
        canvas.box(x: center - 1, y: middle - 1, width: 3, height: 3, "waits")
      }
      switch cell.ink {
      case .finding(let severity):
        canvas.letter(String(cell.character), x: center, y: middle, severity)
      case .stuck:
        canvas.text("stuck", x: x(layout.axis.width) + Self.column, y: middle + 4, "error-text")
      case .sign where cell.character == "x" || cell.character == "!":
        canvas.text(String(cell.character), x: center, y: middle + 4, "middle bold")
      default: break
      }
    }
    canvas.y += Self.row
  }

  private func explain(_ layout: TimelineLayout, on canvas: inout Canvas) {
    for (letter, findings) in layout.letters.groups {
      for (place, finding) in findings.enumerated() {
        let kind = "\(finding.severity.rawValue)-text"
        let lines = TextWrap.lines(
          finding.line(layout.timeline.words), width: Self.lettersPerLine)
        for (number, line) in lines.enumerated() {
          canvas.y += Self.line
          if place == 0, number == 0 {
            canvas.text("\(letter)", x: Self.edge, y: canvas.y - 4, "bold \(kind)")
          }
          canvas.text(line, x: Self.edge + 3 * Self.column, y: canvas.y - 4, "")
        }
      }
    }
    let isMissing = layout.timeline.lanes.lanes.contains { lane in
      layout.cells(lane).contains { $0.ink == .unknown }
    }
    let missing = isMissing ? "Dots: events are missing." : nil
    for words in [layout.letters.explainedRest, missing].compactMap(\.self) {
      canvas.y += Self.line
      canvas.text(words, x: Self.edge, y: canvas.y - 4, "soft")
    }
  }

  private func x(_ column: Int) -> Int { Self.edge + margin + column * Self.column }
}

extension TimelineSVG {
  /// Adjacent columns in which a visit has one phase.
  struct Run {
    let phase: LanePhase
    let columns: Range<Int>
  }

  /// The bars of a lane.
  ///
  /// A sign belongs to the phase that it begins.
  static func runs(_ cells: [LaneCell]) -> [Run] {
    var runs: [Run] = []
    let phases: [LanePhase?] = cells.map {
      if case .phase(let phase) = $0.ink { phase } else { $0.phase }
    }
    var start = 0
    for place in phases.indices.dropFirst() where phases[place] != phases[start] {
      if let phase = phases[start] { runs.append(Run(phase: phase, columns: start..<place)) }
      start = place
    }
    if start < phases.count, let phase = phases[start] {
      runs.append(Run(phase: phase, columns: start..<phases.count))
    }
    return runs
  }

  fileprivate static let style = """
    text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #1c1c1e; }
    .mono { font: 11px ui-monospace, Menlo, monospace; }
    .back { fill: #fbfbfa; } .bold { font-weight: 600; }
    .soft { fill: #66666d; } .middle { text-anchor: middle; }
    .letter { fill: #ffffff; font-weight: 700; font-size: 12px; text-anchor: middle; }
    .waits { fill: #c9c9cf; } .moves { fill: #a9c3f2; } .shown { fill: #2764d3; }
    .waits, .moves { stroke: #66666d; }
    .error { fill: #bf2f24; } .warning { fill: #8f5a00; } .note { fill: #66666d; }
    .error-text { fill: #bf2f24; } .warning-text { fill: #8f5a00; } .note-text { fill: #66666d; }
    @media (prefers-color-scheme: dark) {
      text { fill: #ececef; } .back { fill: #151517; } .soft { fill: #a0a0a8; }
      .waits { fill: #55555d; } .moves { fill: #36507f; } .shown { fill: #77a6ff; }
      .waits, .moves { stroke: #a0a0a8; }
      .error-text { fill: #ff8175; } .warning-text { fill: #e5b05c; } .note-text { fill: #a0a0a8; }
      .letter { fill: #ffffff; }
    }
    """
}
