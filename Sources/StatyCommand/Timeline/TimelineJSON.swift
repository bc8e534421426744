import Staty
import StatyHistory
import StatyReport
import StatyRules

/// A timeline for other programs.
///
/// - `sessions`: each with its number, its `visits` (how many were meant), its `controllers` and their
///   `lanes`, its `marks` and `losses`.
/// - a lane: its `visit`, `state`, `phase` at the end (`exited`, `discarded`, or what it was doing),
///   whether it is `stuck`, from which missing event on it is `unknown` how far it is, the visit it was asked by (`origin`), its `phases`, what happened to it
///   (`events`) and what the rules say of it (`findings`).
///
/// Times are milliseconds since the session began; `until_ms` of a phase that had not ended is when
/// recording of its controller did.
struct TimelineJSON {
  private let path: String
  private let timelines: [SessionTimeline]

  init(_ path: String, _ timelines: [SessionTimeline]) {
    (self.path, self.timelines) = (path, timelines)
  }

  var value: JSONValue {
    .object(["file": .text(path), "sessions": .list(timelines.map(session))])
  }

  private func session(_ timeline: SessionTimeline) -> JSONValue {
    let findings = Dictionary(grouping: timeline.findings) {
      VisitLane.Key(controller: $0.controller, visit: $0.visit)
    }
    return .object([
      "session": .integer(timeline.record.id), "visits": .whole(timeline.lanes.count),
      "controllers": .list(
        timeline.controllers.map { id, lanes in
          let record = timeline.words.controllers[id]
          return .object([
            "controller": .text(record?.name), "controller_id": .whole(id),
            "policy": .text(record?.policy),
            "lanes": .list(lanes.map { lane($0, timeline, findings[$0.key] ?? []) }),
          ])
        }),
      "marks": .list(
        timeline.lanes.notes.filter { $0.text != nil }.map {
          .object([
            "seq": .integer($0.seq), "t_ms": Self.milliseconds($0.time), "note": .text($0.text),
          ])
        }),
      "losses": .list(
        timeline.lanes.notes.filter { $0.text == nil }.map {
          .object(["seq": .integer($0.seq), "count": .integer($0.lost)])
        }),
    ])
  }

  private func lane(
    _ lane: VisitLane, _ timeline: SessionTimeline, _ findings: [Finding]
  ) -> JSONValue {
    .object([
      "visit": .whole(lane.key.visit), "state": .text(timeline.words.names[lane.state]),
      "phase": .text(lane.phase?.rawValue),
      "stuck": .bool(timeline.lanes.stuck.contains(lane.key)),
      "unknown": timeline.lanes.unknown[lane.key].map { .integer($0) } ?? .null,
      "origin": lane.origin == 0 ? .null : .whole(lane.origin),
      "phases": .list(
        lane.spans(until: timeline.lanes.lastTime).map { span in
          .object([
            "phase": .text(span.phase.rawValue), "seq": .integer(span.from.seq),
            "from_ms": Self.milliseconds(span.from.time),
            "until_ms": Self.milliseconds(span.until), "open": .bool(span.isOpen),
          ])
        }),
      "events": .list(
        lane.steps.map { step in
          let kind = EventKind(rawValue: step.kind)
          return .object([
            "seq": .integer(step.seq), "t_ms": Self.milliseconds(step.time),
            "kind": .text(kind?.text),
            "reason": .text(kind.flatMap { EventReason(kind: $0, code: step.reason)?.text }),
          ])
        }),
      "findings": .list(
        findings.map {
          .object([
            "code": .text($0.code.rawValue), "severity": .text($0.severity.rawValue),
            "seq": .integer($0.seq),
          ])
        }),
    ])
  }

  private static func milliseconds(_ time: Int64) -> JSONValue { .number(Double(time) / 1_000) }
}
