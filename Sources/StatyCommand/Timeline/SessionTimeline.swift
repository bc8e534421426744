import StatyHistory
import StatyReading
import StatyReport
import StatyRules

/// The timeline of one session: its lanes and its findings.
struct SessionTimeline {
  let record: SessionRecord
  let words: EventWords
  let lanes: SessionLanes
  /// The findings at selected events, in order.
  let findings: [Finding]
  /// The selected times, in microseconds since the session began.
  let times: ClosedRange<Int64>

  /// - Parameters:
  ///   - end: when recording ended, or now, in microseconds since 1970.
  ///   - limit: the most lanes; none for all.
  init(
    _ record: SessionRecord, _ reader: HistoryReader, _ filter: EventFilter, end: Int64,
    limit: Int
  ) throws {
    let session = try ListedSession(record, reader)
    let wanted = filter.wanted(of: session, end: end)
    var choice = SessionLanes.Choice()
    choice.controllers = wanted.controllers
    choice.states = wanted.states
    // An end before the beginning selects a time without events.
    choice.times = wanted.times ?? .max ... .max
    choice.limit = limit
    let result = try HistoryCheck(reader).session(record.id)
    let found = result.findings + result.notes
    var broken: [VisitLane.Key: Bool] = [:]
    for finding in found where finding.visit != 0 && finding.severity != .note {
      let key = VisitLane.Key(controller: finding.controller, visit: finding.visit)
      broken[key] = broken[key] == true || finding.severity == .error
    }
    lanes = try SessionLanes(reader, session: record.id, choice, broken: broken)
    let shown = Set(lanes.lanes.map(\.key))
    // A path that became empty shows no visit; its finding is at the last one's end.
    let ends = Set(lanes.lanes.compactMap { $0.steps.last?.seq })
    findings = found.filter {
      shown.contains(VisitLane.Key(controller: $0.controller, visit: $0.visit))
        || $0.code == .mirror && $0.visit == 0 && ends.contains($0.seq)
    }
    self.record = record
    words = session.words
    times = choice.times
  }

  /// Whether there is nothing to draw.
  var isEmpty: Bool { lanes.lanes.isEmpty && lanes.notes.isEmpty }

  /// The controllers that have lanes, with these, in order.
  var controllers: [(id: Int32, lanes: ArraySlice<VisitLane>)] {
    var groups: [(Int32, ArraySlice<VisitLane>)] = []
    var rest = lanes.lanes[...]
    while let id = rest.first?.key.controller {
      let group = rest.prefix { $0.key.controller == id }
      groups.append((id, group))
      rest = rest.dropFirst(group.count)
    }
    return groups
  }

  /// Whether a visit is stuck at the end of the selected events; a visit that continues later is
  /// not.
  func isStuck(_ lane: VisitLane) -> Bool {
    lanes.stuck.contains(lane.key) && times.upperBound >= lane.detached?.time ?? lanes.endTime
  }

  /// The number of the missing event from which on a visit's phase is not known, if that is
  /// selected.
  func unknownFrom(_ lane: VisitLane) -> Int64? {
    lane.lastTime <= times.upperBound ? lanes.unknown[lane.key] : nil
  }
}

// The texts of a picture.
extension SessionTimeline {
  /// The session, its date, its duration and its end.
  var heading: String {
    let parts = [
      "Session \(record.id)", Decimal.date(record.wallTime), Decimal.duration(record.endTime),
      Soundness.end(record),
    ]
    return parts.joined(separator: ", ") + "."
  }

  /// The name of a controller, and its policy.
  ///
  /// - Parameter isIsolated: whether each is isolated from the other, as in a terminal.
  func name(of id: Int32, isIsolated: Bool) -> String {
    guard let controller = words.controllers[id] else { return "controller \(id)" }
    let (name, policy) = (controller.name.visible, controller.policy.visible)
    return isIsolated ? "\(name.isolated) (\(policy.isolated))" : "\(name) (\(policy))"
  }

  /// The name of a visit: `#2 alert`.
  func called(_ lane: VisitLane) -> String { words.visit(lane.key.visit, lane.state) }
}
