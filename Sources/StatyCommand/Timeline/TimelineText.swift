import Staty
import StatyHistory
import StatyReport
import StatyRules

/// A timeline for people: under each controller a line for each of its visits, over all of them the
/// time, below them what the letters and the signs mean.
struct TimelineText {
  private let timeline: SessionTimeline
  private let width: Int
  private let style: Style
  private let cut: [VisitLane.Key: VisitLane]
  private let axis: LaneAxis
  private let margin: Int
  private let letters: FindingLetters

  init(_ timeline: SessionTimeline, width: Int, style: Style) {
    self.timeline = timeline
    self.width = width
    self.style = style
    let lanes = timeline.lanes.lanes
    cut = Dictionary(lanes.map { ($0.key, $0.cut(to: timeline.times)) }) { first, _ in first }
    let most = max(8, min(width / 3, 32))
    let widest = lanes.map { DisplayWidth.of(timeline.called($0)) }.max() ?? 0
    margin = 2 + min(most, max(widest, timeline.lanes.notes.isEmpty ? 0 : 5)) + 2
    let axis = LaneAxis(
      Self.moments(timeline, Array(cut.values)), width: max(4, width - margin),
      foldWidth: { TimelineRuler.mark($0).count })
    self.axis = axis
    // What is explained can be found in the picture.
    let guilty = Set(timeline.findings.map(\.seq))
    var cells: [Int64: FindingLetters.Cell] = [:]
    for lane in cut.values {
      for step in lane.steps where guilty.contains(step.seq) {
        cells[step.seq] = .init(lane: lane.key, column: axis.place(of: step.seq))
      }
    }
    letters = FindingLetters(timeline.findings, cells: cells)
  }

  /// What the picture is made of, line by line.
  var lines: [String] {
    var signs: Set<Character> = []
    let notes = notes
    var lines = heading + ruler + [notes?.line].compactMap(\.self)
    for (id, lanes) in timeline.controllers {
      lines.append(style.bold(DisplayWidth.cut(name(of: id), to: width)))
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

  /// Every moment that is drawn, and where open lanes end.
  private static func moments(
    _ timeline: SessionTimeline, _ lanes: [VisitLane]
  ) -> [LaneAxis.Moment] {
    var times: [Int64: Int64] = [:]
    for lane in lanes {
      if let since = lane.since { times[since.seq] = since.time }
      for step in lane.steps { times[step.seq] = step.time }
      if let end = lane.detached { times[end.seq] = end.time }
    }
    for note in timeline.lanes.notes { times[note.seq] = note.time }
    var moments = times.sorted { $0.key < $1.key }
      .map { LaneAxis.Moment(seq: $0.key, time: $0.value) }
    if let first = moments.first, timeline.times.lowerBound > .min {
      moments.insert(
        .init(seq: .min, time: min(first.time, max(0, timeline.times.lowerBound))), at: 0)
    } else if moments.isEmpty {
      moments.append(.init(seq: .min, time: max(0, timeline.times.lowerBound)))
    }
    let end = min(timeline.lanes.lastTime, timeline.times.upperBound)
    let last = moments.last ?? .init(seq: 0, time: 0)
    let isOpen = lanes.contains { !($0.phase?.isOver ?? true) && $0.detached == nil }
    // One that is stuck with the last event says so behind it.
    let isStuck = lanes.contains { timeline.isStuck($0) && $0.steps.last?.seq == last.seq }
    if isOpen && end > last.time || isStuck {
      moments.append(.init(seq: .max, time: max(end, last.time)))
    }
    return moments
  }
}

// The lines.
extension TimelineText {
  private var heading: [String] {
    let record = timeline.record
    let parts = [
      "Session \(record.id)", Decimal.date(record.wallTime), Decimal.duration(record.lastTime),
      Soundness.end(record),
    ]
    return TextWrap.lines(parts.joined(separator: ", ") + ".", width: width)
  }

  private var ruler: [String] {
    let space = String(repeating: " ", count: margin)
    return TimelineRuler(axis).lines.filter { !$0.isEmpty }.map { style.dim(space + $0) }
  }

  private func name(of id: Int32) -> String {
    guard let controller = timeline.words.controllers[id] else { return "controller \(id)" }
    return "\(controller.name.visible.isolated) (\(controller.policy.visible.isolated))"
  }

  /// The lane as it stands there: a letter hides a sign, and a fold all that is in it.
  private func cells(_ lane: VisitLane) -> [LaneCell] {
    var cells = LaneDrawing.cells(
      cut[lane.key] ?? lane, on: axis, isStuck: timeline.isStuck(lane),
      unknownFrom: timeline.unknownFrom(lane), marks: letters.marks)
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

  /// The app's marks and the gaps, each where it was, with its words as far as there is room; and what
  /// the signs mean that stand there.
  private var notes: (line: String, meanings: [String])? {
    let notes = timeline.lanes.notes
    if notes.isEmpty { return nil }
    var line = Array(repeating: Character(" "), count: axis.width)
    // Of those that share a column the last one stands there.
    var columns: [Int: SessionLanes.Note] = [:]
    for (place, note) in notes.enumerated() {
      let column = axis.place(of: note.seq)
      guard line.indices.contains(column) else { continue }
      columns[column] = note
      line[column] = note.text == nil ? "%" : "*"
      let next = place + 1 < notes.count ? axis.place(of: notes[place + 1].seq) : axis.width
      let text = note.text?.visible ?? "\(Decimal.count(note.lost, "event")) missing"
      // What is broader than a column would move what stands behind it.
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
    let name = "\(finding.severity.rawValue)[\(finding.code.rawValue)]"
    let sentence = finding.detail { timeline.words.name($0) }
    return TextWrap.lines("\(name) at event \(finding.seq): \(sentence)", width: width - 4)
  }

  private func paint(_ text: String, _ severity: Severity) -> String {
    severity == .error ? style.error(text) : style.warning(text)
  }

  /// What the signs mean that stand in the picture.
  private func legend(_ signs: Set<Character>, _ notes: [String]) -> [String] {
    let lanes = LaneDrawing.meanings.filter { signs.contains($0.character) }
      .map { "\($0.character) \($0.meaning)" }
    let texts = lanes + notes + [TimelineRuler(axis).foldMeaning].compactMap(\.self)
    return LaneLegend.lines(texts, width: width).map(style.dim)
  }
}
