import StatyReport
import StatyRules

/// A timeline as text: under each controller a line for each of its visits, above all the time,
/// below them the meanings of letters and signs.
struct TimelineText {
  private let width: Int
  private let style: Style
  private let layout: TimelineLayout
  private let margin: Int

  private var timeline: SessionTimeline { layout.timeline }
  private var axis: LaneAxis { layout.axis }
  private var letters: FindingLetters { layout.letters }

  init(_ timeline: SessionTimeline, width: Int, style: Style) {
    self.width = width
    self.style = style
    let most = max(8, min(width / 3, 32))
    let widest = timeline.lanes.lanes.map { DisplayWidth.of(timeline.called($0)) }.max() ?? 0
    margin = 2 + min(most, max(widest, timeline.lanes.notes.isEmpty ? 0 : 5)) + 2
    layout = TimelineLayout(timeline, width: max(4, width - margin))
  }

  /// The lines of the picture.
  var lines: [String] {
    var signs: Set<Character> = []
    let notes = TimelineNotes(layout)
    var lines = heading + ruler
    if let notes {
      let label = "  " + DisplayWidth.pad("marks", to: margin - 2)
      lines.append((label + String(notes.line)).trimmed)
    }
    for (id, lanes) in timeline.controllers {
      let name = timeline.name(of: id, isIsolated: true)
      lines.append(style.bold(DisplayWidth.cut(name, to: width)))
      for lane in lanes {
        let cells = cells(lane)
        signs.formUnion(cells.map(\.character))
        lines.append(line(lane, cells))
      }
    }
    let below = explained.isEmpty ? [] : [""] + explained
    let legend = legend(signs, notes?.meanings ?? [])
    return lines + below + (legend.isEmpty ? [] : [""] + legend)
  }
}

// The lines.
extension TimelineText {
  private var heading: [String] { TextWrap.lines(timeline.heading, width: width) }

  private var ruler: [String] {
    let space = String(repeating: " ", count: margin)
    return TimelineRuler(axis).lines.filter { !$0.isEmpty }.map { style.dim(space + $0) }
  }

  /// The cells of a lane as they are drawn: a fold hides its content.
  private func cells(_ lane: VisitLane) -> [LaneCell] {
    var cells = layout.cells(lane)
    for fold in axis.folds {
      for column in fold.columns where cells[column].ink != .blank { cells[column].character = "/" }
    }
    return cells
  }

  private func line(_ lane: VisitLane, _ cells: [LaneCell]) -> String {
    let label = DisplayWidth.cut(timeline.called(lane), to: margin - 4)
    let space = String(repeating: " ", count: max(0, margin - 2 - DisplayWidth.of(label)))
    return ("  " + label.isolated + space + style.paint(cells)).trimmed
  }

  private var explained: [String] {
    var lines: [String] = []
    for (letter, findings) in letters.groups {
      for (place, finding) in findings.enumerated() {
        let mark = place == 0 ? style.painted("\(letter)", finding.severity) : " "
        let sentence = TextWrap.lines(finding.line(timeline.words), width: width - 4)
        lines += sentence.enumerated().map { ($0 == 0 ? "  \(mark) " : "    ") + $1 }
      }
    }
    guard let rest = letters.explainedRest else { return lines }
    return lines + TextWrap.lines(rest, width: width - 2).map { "  " + $0 }
  }

  /// The meanings of the signs in the picture.
  private func legend(_ signs: Set<Character>, _ notes: [String]) -> [String] {
    let texts =
      LaneLegend.entries(of: signs) + notes + [TimelineRuler(axis).foldMeaning].compactMap(\.self)
    return LaneLegend.lines(texts, width: width).map(style.dim)
  }
}
