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
    let notes = notes
    var lines = heading + ruler + [notes?.line].compactMap(\.self)
    for (id, lanes) in timeline.controllers {
      lines.append(style.bold(DisplayWidth.cut(timeline.name(of: id), to: width)))
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

  /// The app's marks and the gaps in their columns, with their texts if there is room, and the
  /// meanings of their signs.
  private var notes: (line: String, meanings: [String])? {
    let notes = timeline.lanes.notes
    if notes.isEmpty { return nil }
    var line = Array(repeating: Character(" "), count: axis.width)
    // If several share a column, the last one is drawn.
    var columns: [Int: SessionLanes.Note] = [:]
    for (place, note) in notes.enumerated() {
      let column = axis.place(of: note.seq)
      guard line.indices.contains(column) else { continue }
      columns[column] = note
      line[column] = note.text == nil ? "%" : "*"
      let next = place + 1 < notes.count ? axis.place(of: notes[place + 1].seq) : axis.width
      let text = note.text?.visible ?? "\(Decimal.count(note.lost, "event")) missing"
      // A wide character would move what follows it.
      guard text.allSatisfy({ DisplayWidth.of($0) == 1 }), next - column - 2 >= min(text.count, 6)
      else { continue }
      for (offset, letter) in DisplayWidth.cut(text, to: next - column - 2).enumerated() {
        line[column + 1 + offset] = letter
      }
    }
    let drawn = columns.values
    let meanings =
      (drawn.contains { $0.text != nil } ? ["* a mark"] : [])
      + (drawn.contains { $0.text == nil } ? ["% missing"] : [])
    return (("  " + DisplayWidth.pad("marks", to: margin - 2) + String(line)).trimmed, meanings)
  }

  private var explained: [String] {
    var lines: [String] = []
    for (letter, findings) in letters.groups {
      for (place, finding) in findings.enumerated() {
        let mark = place == 0 ? paint("\(letter)", finding.severity) : " "
        lines += sentence(finding).enumerated().map { ($0 == 0 ? "  \(mark) " : "    ") + $1 }
      }
    }
    guard letters.rest > 0 else { return lines }
    let rest = "stands for \(Decimal.count(letters.rest, "more finding")); 'check' tells them."
    return lines
      + TextWrap.lines("\(FindingLetters.ofRest) \(rest)", width: width - 2).map { "  " + $0 }
  }

  private func sentence(_ finding: Finding) -> [String] {
    TextWrap.lines(finding.line(timeline.words), width: width - 4)
  }

  private func paint(_ text: String, _ severity: Severity) -> String {
    style.painted(text, severity)
  }

  /// The meanings of the signs in the picture.
  private func legend(_ signs: Set<Character>, _ notes: [String]) -> [String] {
    let texts =
      LaneLegend.entries(of: signs) + notes + [TimelineRuler(axis).foldMeaning].compactMap(\.self)
    return LaneLegend.lines(texts, width: width).map(style.dim)
  }
}
