import StatyReport
import StatyRules

/// The layout of a timeline's picture: the columns of the events, and the letters of the findings.
struct TimelineLayout {
  let timeline: SessionTimeline
  let axis: LaneAxis
  let letters: FindingLetters
  private let cut: [VisitLane.Key: VisitLane]

  init(_ timeline: SessionTimeline, width: Int) {
    self.timeline = timeline
    let lanes = timeline.lanes.lanes
    cut = Dictionary(lanes.map { ($0.key, $0.cut(to: timeline.times)) }) { first, _ in first }
    let axis = LaneAxis(
      Self.moments(timeline, Array(cut.values)), width: width,
      foldWidth: { TimelineRuler.mark($0).count })
    self.axis = axis
    // Guilty events are drawn, so that each explained finding can be located.
    let guilty = Set(timeline.findings.map(\.seq))
    var cells: [Int64: FindingLetters.Cell] = [:]
    for lane in cut.values {
      for step in lane.steps where guilty.contains(step.seq) {
        cells[step.seq] = .init(lane: lane.key, column: axis.place(of: step.seq))
      }
    }
    letters = FindingLetters(timeline.findings, cells: cells)
  }

  /// The cells of a lane; a letter hides a sign.
  func cells(_ lane: VisitLane) -> [LaneCell] {
    LaneDrawing.cells(
      cut[lane.key] ?? lane, on: axis, isStuck: timeline.isStuck(lane),
      unknownFrom: timeline.unknownFrom(lane), marks: letters.marks)
  }

  /// Every moment that is drawn, and where open lanes end.
  private static func moments(
    _ timeline: SessionTimeline, _ lanes: [VisitLane]
  ) -> [LaneAxis.Moment] {
    var times: [Int64: Int64] = [:]
    for lane in lanes {
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
    let end = min(timeline.lanes.endTime, timeline.times.upperBound)
    let last = moments.last ?? .init(seq: 0, time: 0)
    let isOpen = lanes.contains { !($0.phase?.isOver ?? true) && $0.detached == nil }
    // A visit that is stuck since the last event has its sign behind that event.
    let isStuck = lanes.contains { timeline.isStuck($0) && $0.steps.last?.seq == last.seq }
    if isOpen && end > last.time || isStuck {
      moments.append(.init(seq: .max, time: max(end, last.time)))
    }
    return moments
  }
}

/// The letters in a picture for events that break rules.
struct FindingLetters {
  /// The letter of each guilty event.
  private(set) var marks: LaneDrawing.Marks = [:]
  /// What each letter stands for, in order of the events.
  private(set) var groups: [(letter: Character, findings: [Finding])] = []
  /// The number of findings at events without a letter of their own.
  private(set) var rest = 0

  /// What the last letter stands for; `nil` if it is not needed.
  var explainedRest: String? {
    guard rest > 0 else { return nil }
    let count = Decimal.count(rest, "more finding")
    return "\(Self.ofRest) stands for \(count); 'check' tells them."
  }

  /// The letter of events that share the last one.
  static let ofRest: Character = "Z"
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXY")

  /// The cell of an event's letter.
  struct Cell: Hashable {
    let lane: VisitLane.Key
    let column: Int
  }

  /// - Parameters:
  ///   - findings: the findings, in order.
  ///   - cells: the cells of their events; events in one cell share a letter, since one would hide
  ///     the other.
  init(_ findings: [Finding], cells: [Int64: Cell]) {
    let byCell = Dictionary(grouping: findings.filter { cells[$0.seq] != nil }) { cells[$0.seq]! }
    let groups = byCell.values.map { findings in
      (
        seq: findings[0].seq, severity: Self.worst(findings), findings: findings
      )
    }.sorted { $0.seq < $1.seq }
    // Errors get letters before warnings do, and these before notes.
    let chosen = Set(
      Severity.allCases.flatMap { severity in groups.filter { $0.severity == severity } }
        .prefix(Self.letters.count).map(\.seq))
    for (seq, severity, findings) in groups {
      var letter = Self.ofRest
      if chosen.contains(seq) {
        letter = Self.letters[self.groups.count]
        self.groups.append((letter, findings))
      } else {
        rest += findings.count
      }
      for finding in findings { marks[finding.seq] = (letter, severity) }
    }
  }

  private static func worst(_ findings: [Finding]) -> Severity {
    let severities = Set(findings.map(\.severity))
    return Severity.allCases.first(where: severities.contains) ?? .note
  }
}
