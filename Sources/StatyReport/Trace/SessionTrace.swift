import Staty
import StatyHistory
import StatyRules

/// Writes the events of one session as trace events.
struct SessionTrace {
  private(set) var line: TraceLine
  private let session: SessionRecord
  private let controllers: [ControllerRecord]
  private let names: [Int32: String]
  private let sites: [Int32: SiteRecord]
  private var findings: ArraySlice<Finding>
  private var fold: VisitFold
  /// The visits with an open span.
  private var spans: [VisitLane.Key: (state: String, phase: LanePhase)] = [:]
  /// The losses before the next event.
  private var losses: [LossRecord] = []
  /// The first error in writing.
  private var failure: (any Error)?

  init(
    _ session: SessionRecord, _ controllers: [ControllerRecord], _ findings: [Finding],
    _ names: [Int32: String], _ sites: [Int32: SiteRecord], _ line: TraceLine
  ) {
    self.line = line
    self.session = session
    self.controllers = controllers
    (self.names, self.sites) = (names, sites)
    self.findings = findings[...]
    fold = VisitFold(session, controllers)
  }

  /// Writes the names of the session and its controllers.
  mutating func begin() throws {
    let app = "\(session.app) \(session.appVersion), session \(session.id)"
    try line.write(
      "M", "process_name", pid: session.id, tid: 0, arguments: [("name", EmbeddedJSON.quoted(app))])
    for controller in controllers {
      let name = EmbeddedJSON.quoted("\(controller.name) (\(controller.policy))")
      try line.write(
        "M", "thread_name", pid: session.id, tid: controller.id, arguments: [("name", name)])
    }
  }

  /// Throws the first error in writing, if there is one.
  func check() throws { if let failure { throw failure } }

  /// Ends the spans of all open visits.
  mutating func end() throws {
    try check()
    try writeLosses(at: session.lastTime)
    for finding in findings { try write(finding, at: session.lastTime) }
    for controller in controllers { try end(controller.id, at: session.lastTime) }
  }

  /// Ends the spans of a controller's open visits, because its recording ends.
  private mutating func end(_ controller: Int32, at time: Int64) throws {
    let open = spans.filter { $0.key.controller == controller }
    for (key, known) in open.sorted(by: { $0.key < $1.key }) {
      let isLost = fold.visit(key.visit, of: controller)?.isLost ?? true
      let outcome = isLost ? VisitRow.Outcome.unknown : VisitRow.Outcome.waiting
      try end(key, known, outcome, at: time)
      spans[key] = nil
    }
  }

  private mutating func end(
    _ key: VisitLane.Key, _ known: (state: String, phase: LanePhase), _ outcome: UInt8,
    at time: Int64, _ said: [(String, String?)] = []
  ) throws {
    try write("e", known.phase.text, key, at: time)
    let outcome = VisitRow.Outcome.text(outcome, ended: session.ended)
    try write("e", known.state, key, at: time, [("outcome", EmbeddedJSON.quoted(outcome))] + said)
  }

  /// Writes a part of the asynchronous span of a visit: its beginning, its end, or an instant in it.
  private mutating func write(
    _ letter: String, _ name: String, _ key: VisitLane.Key, at time: Int64,
    _ arguments: [(String, String?)] = []
  ) throws {
    // Controller numbers are unique in the file, so no two sessions share one.
    let number = UInt64(UInt32(bitPattern: key.controller)) << 32 | UInt64(key.visit)
    let id = "\"0x\(String(number, radix: 16))\""
    try line.write(
      letter, name, pid: session.id, tid: key.controller, at: time,
      ["cat": "\"visit\"", "id": id], arguments: arguments)
  }

  private mutating func event(_ row: EventRow, _ detail: EventDetail?) throws {
    let isOfController = fold.take(row, detail)
    guard let kind = EventKind(rawValue: row.kind) else { return }
    let reason = EventReason(kind: kind, code: row.reason)?.text
    if kind == .detached { try end(row.controller, at: row.time) }
    let key = VisitLane.Key(controller: row.controller, visit: row.visit)
    guard row.visit != 0, isOfController, spans[key] != nil || fold.change.begins else {
      return try instant(row, kind, reason)
    }
    let said = arguments(row, reason)
    let (_, phase) = fold.phases
    guard let known = spans[key] else {
      let state = names[row.state] ?? "state \(row.state)"
      try write("b", state, key, at: row.time, [("visit", "\(row.visit)")] + said)
      if let phase, !phase.isOver {
        try write("b", phase.text, key, at: row.time)
        spans[key] = (state, phase)
      } else {
        let outcome = VisitRow.Outcome.text(fold.change.outcome ?? 0, ended: session.ended)
        try write("e", state, key, at: row.time, [("outcome", EmbeddedJSON.quoted(outcome))])
      }
      return
    }
    if let outcome = fold.change.outcome {
      try end(key, known, outcome, at: row.time, said)
      spans[key] = nil
    } else if let phase, phase != known.phase {
      try write("e", known.phase.text, key, at: row.time)
      try write("b", phase.text, key, at: row.time, said)
      spans[key]?.phase = phase
    } else {
      try write("n", Self.title(kind, reason), key, at: row.time, said)
    }
  }

  private mutating func instant(
    _ row: EventRow, _ kind: EventKind, _ reason: String?
  ) throws {
    let visit = row.visit == 0 ? nil : "\(row.visit)"
    try line.write(
      "i", Self.title(kind, reason), pid: session.id, tid: row.controller, at: row.time,
      ["s": "\"t\"", "cat": "\"event\""], arguments: [("visit", visit)] + arguments(row, reason))
  }

  private mutating func writeLosses(at time: Int64) throws {
    for loss in losses {
      try line.write(
        "i", "lost", pid: session.id, tid: 0, at: time, ["s": "\"p\"", "cat": "\"lost\""],
        arguments: [
          ("count", "\(loss.count)"), ("first_seq", "\(loss.firstSeq)"),
          ("last_seq", "\(loss.lastSeq)"), ("reason", EmbeddedJSON.quoted(loss.reason)),
        ])
    }
    losses.removeAll()
  }

  private mutating func write(_ finding: Finding, at time: Int64) throws {
    let names = names
    let color = finding.severity == .error ? "terrible" : "bad"
    try line.write(
      "i", "\(finding.severity.rawValue): \(finding.code.rawValue)", pid: session.id,
      tid: finding.controller, at: time,
      ["s": "\"t\"", "cat": "\"finding\"", "cname": "\"\(color)\""],
      arguments: [
        ("seq", "\(finding.seq)"), ("visit", finding.visit == 0 ? nil : "\(finding.visit)"),
        ("detail", EmbeddedJSON.quoted(finding.detail { names[$0] })),
      ])
  }

  private func arguments(_ row: EventRow, _ reason: String?) -> [(String, String?)] {
    [
      ("seq", "\(row.seq)"), ("reason", reason.map { EmbeddedJSON.quoted($0) }),
      ("cause", row.cause == 0 ? nil : "\(row.cause)"),
      ("site", sites[row.site].map { EmbeddedJSON.quoted("\($0.file):\($0.line)") }),
      ("thread", "\(row.thread)"),
    ]
  }

  private static func title(_ kind: EventKind, _ reason: String?) -> String {
    reason.map { "\(kind.text) (\($0))" } ?? kind.text
  }
}

extension SessionTrace: SessionFollower {
  /// Writes an event, and the findings about it.
  mutating func take(_ row: EventRow, _ detail: EventDetail?) {
    guard failure == nil else { return }
    do {
      try writeLosses(at: row.time)
      try event(row, detail)
      while let finding = findings.first, finding.seq <= row.seq {
        try write(finding, at: row.time)
        findings.removeFirst()
      }
    } catch {
      failure = error
    }
  }

  mutating func lose(_ loss: LossRecord) {
    fold.lose(loss)
    losses.append(loss)
  }
}

extension LanePhase {
  /// The name of the phase's span.
  fileprivate var text: String {
    switch self {
    case .pending: "waiting"
    case .current: "in"
    case .entering, .exiting, .exited, .discarded: rawValue
    }
  }
}
