import Staty
import StatyHistory
import StatyRules

/// Makes trace events of one session's events as they go by.
struct SessionTrace {
  private let session: SessionRecord
  private let controllers: [ControllerRecord]
  private let names: SessionNames
  private var findings: ArraySlice<Finding>
  private var visits: [Int32: FollowedVisits]
  /// The numbers of the first events of the gaps.
  private let losses: [Int64]
  /// The controllers whose recording has begun.
  private var begun: Set<Int32> = []

  init(
    _ session: SessionRecord, _ controllers: [ControllerRecord], _ findings: [Finding],
    _ names: SessionNames, losses: [Int64]
  ) {
    self.session = session
    self.controllers = controllers
    self.names = names
    self.findings = findings[...]
    self.losses = losses
    visits = Dictionary(
      controllers.map { ($0.id, FollowedVisits(SnapshotRecord($0.snapshot))) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Names the session and its controllers.
  mutating func begin(_ line: inout TraceLine) throws {
    let app = "\(session.app) \(session.appVersion), session \(session.id)"
    try line.write(
      "M", "process_name", pid: session.id, tid: 0, arguments: [("name", EmbeddedJSON.quoted(app))])
    for controller in controllers {
      let name = EmbeddedJSON.quoted("\(controller.name) (\(controller.policy))")
      try line.write(
        "M", "thread_name", pid: session.id, tid: controller.id, arguments: [("name", name)])
    }
  }

  /// Begins the spans of those who are there already when recording of a controller begins.
  private mutating func begin(_ controller: Int32, at time: Int64, _ line: inout TraceLine) throws {
    guard begun.insert(controller).inserted else { return }
    let open = visits[controller]?.open ?? [:]
    for (visit, known) in open.sorted(by: { $0.key < $1.key }) {
      let span = VisitSpan(session.id, controller, visit)
      try span.begin(known.state, at: time, [("visit", "\(visit)")], &line)
      try span.begin(known.phase.text, at: time, [], &line)
    }
  }

  /// Writes what an event comes to, and what the rules say of it.
  mutating func take(_ row: EventRow, _ line: inout TraceLine) throws {
    try event(row, &line)
    while let finding = findings.first, finding.seq <= row.seq {
      try write(finding, at: row.time, &line)
      findings.removeFirst()
    }
  }

  /// Writes that events are missing here.
  func lose(_ loss: LossRecord, at time: Int64, _ line: inout TraceLine) throws {
    try line.write(
      "i", "lost", pid: session.id, tid: 0, at: time, ["s": "\"p\"", "cat": "\"lost\""],
      arguments: [
        ("count", "\(loss.count)"), ("first_seq", "\(loss.firstSeq)"),
        ("last_seq", "\(loss.lastSeq)"), ("reason", EmbeddedJSON.quoted(loss.reason)),
      ])
  }

  /// Ends the spans of those who are still there.
  mutating func end(_ line: inout TraceLine) throws {
    for finding in findings { try write(finding, at: session.lastTime, &line) }
    for controller in controllers where begun.contains(controller.id) {
      try end(controller.id, at: session.lastTime, before: .max, &line)
    }
  }

  /// Ends the spans of those who are still there when recording of a controller ends.
  private mutating func end(
    _ controller: Int32, at time: Int64, before seq: Int64, _ line: inout TraceLine
  ) throws {
    let open = visits[controller]?.open ?? [:]
    for (visit, known) in open.sorted(by: { $0.key < $1.key }) {
      let span = VisitSpan(session.id, controller, visit)
      // As the view of the visits says it.
      let outcome =
        isLost(from: known.heard, to: seq)
        ? "unknown" : session.ended == .crash ? "crash" : "open"
      try span.end(known.phase.text, at: time, [], &line)
      try span.end(known.state, at: time, [("outcome", EmbeddedJSON.quoted(outcome))], &line)
    }
    visits[controller]?.detach()
  }

  private func isLost(from first: Int64, to last: Int64) -> Bool {
    losses.contains { $0 > first && $0 < last }
  }

  private mutating func event(_ row: EventRow, _ line: inout TraceLine) throws {
    guard let kind = EventKind(rawValue: row.kind) else { return }
    let reason = EventReason(kind: kind, code: row.reason)?.text
    if row.controller != 0 { try begin(row.controller, at: row.time, &line) }
    if kind == .detached { try end(row.controller, at: row.time, before: row.seq, &line) }
    guard row.visit != 0, visits[row.controller] != nil else {
      return try instant(row, kind, reason, &line)
    }
    let span = VisitSpan(session.id, row.controller, row.visit)
    let known = visits[row.controller]?.open[row.visit]?.state
    let state = known ?? names.state(row.state)
    // Where it is: a copy of the visits would be made for every event.
    let step = visits[row.controller]!.take(row, state: state)
    let said = arguments(row, reason)
    switch step {
    case .begins(let phase):
      try span.begin(state, at: row.time, [("visit", "\(row.visit)")] + said, &line)
      try span.begin(phase.text, at: row.time, [], &line)
    case .goesOn(let before, let phase):
      try span.end(before.text, at: row.time, [], &line)
      try span.begin(phase.text, at: row.time, said, &line)
    case .ends(let phase):
      try span.end(phase.text, at: row.time, [], &line)
      try span.end(
        state, at: row.time, [("outcome", EmbeddedJSON.quoted(reason ?? kind.text))] + said, &line)
    case .passes(let phase):
      try span.begin(state, at: row.time, [("visit", "\(row.visit)")] + said, &line)
      try span.begin(phase.text, at: row.time, [], &line)
      try span.end(phase.text, at: row.time, [], &line)
      try span.end(
        state, at: row.time, [("outcome", EmbeddedJSON.quoted(reason ?? kind.text))], &line)
    case .stays: try span.instant(Self.title(kind, reason), at: row.time, said, &line)
    case .unknown: try instant(row, kind, reason, &line)
    }
  }

  private func instant(
    _ row: EventRow, _ kind: EventKind, _ reason: String?, _ line: inout TraceLine
  ) throws {
    let visit = row.visit == 0 ? nil : "\(row.visit)"
    try line.write(
      "i", Self.title(kind, reason), pid: session.id, tid: row.controller, at: row.time,
      ["s": "\"t\"", "cat": "\"event\""], arguments: [("visit", visit)] + arguments(row, reason))
  }

  private func write(_ finding: Finding, at time: Int64, _ line: inout TraceLine) throws {
    let color = finding.severity == .error ? "terrible" : "bad"
    try line.write(
      "i", "\(finding.severity.rawValue): \(finding.code.rawValue)", pid: session.id,
      tid: finding.controller, at: time,
      ["s": "\"t\"", "cat": "\"finding\"", "cname": "\"\(color)\""],
      arguments: [
        ("seq", "\(finding.seq)"), ("visit", finding.visit == 0 ? nil : "\(finding.visit)"),
        ("detail", EmbeddedJSON.quoted(finding.detail { names.name($0) })),
      ])
  }

  private func arguments(_ row: EventRow, _ reason: String?) -> [(String, String?)] {
    [
      ("seq", "\(row.seq)"), ("reason", reason.map { EmbeddedJSON.quoted($0) }),
      ("cause", row.cause == 0 ? nil : "\(row.cause)"),
      ("site", names.site(row.site).map { EmbeddedJSON.quoted($0) }), ("thread", "\(row.thread)"),
    ]
  }

  private static func title(_ kind: EventKind, _ reason: String?) -> String {
    reason.map { "\(kind.text) (\($0))" } ?? kind.text
  }
}

/// The asynchronous span of one visit.
private struct VisitSpan {
  private let session: Int64
  private let controller: Int32
  private let id: String

  init(_ session: Int64, _ controller: Int32, _ visit: UInt32) {
    self.session = session
    self.controller = controller
    // Controllers are numbered in the file, so that no two sessions share one.
    let number = UInt64(UInt32(bitPattern: controller)) << 32 | UInt64(visit)
    id = "\"0x\(String(number, radix: 16))\""
  }

  func begin(
    _ name: String, at time: Int64, _ arguments: [(String, String?)], _ line: inout TraceLine
  ) throws {
    try write("b", name, time, arguments, &line)
  }

  func end(
    _ name: String, at time: Int64, _ arguments: [(String, String?)], _ line: inout TraceLine
  ) throws {
    try write("e", name, time, arguments, &line)
  }

  func instant(
    _ name: String, at time: Int64, _ arguments: [(String, String?)], _ line: inout TraceLine
  ) throws {
    try write("n", name, time, arguments, &line)
  }

  private func write(
    _ letter: String, _ name: String, _ time: Int64, _ arguments: [(String, String?)],
    _ line: inout TraceLine
  ) throws {
    try line.write(
      letter, name, pid: session, tid: controller, at: time, ["cat": "\"visit\"", "id": id],
      arguments: arguments)
  }
}

extension LanePhase {
  /// The phase's name, as spans have it.
  fileprivate var text: String {
    switch self {
    case .pending: "waiting"
    case .current: "in"
    case .entering, .exiting, .exited, .discarded: rawValue
    }
  }
}
