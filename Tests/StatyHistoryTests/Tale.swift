import Staty
import StatyHistory

/// A session written down event by event, each with its time in milliseconds.
///
/// Every session of a file has the states that it names; its controllers are numbered from 0.
final class Tale {
  private let writer: HistoryWriter
  let session: Int64
  private var rows: [EventRow] = []
  private var details: [EventDetail] = []
  private var losses: [LossRecord] = []
  private var controllers: [Int32] = []
  private(set) var seq: Int64

  init(_ writer: HistoryWriter, _ uuid: String = "u1", from first: Int64 = 1) throws {
    self.writer = writer
    var opening = SessionOpening.test(uuid)
    opening.firstSeq = first
    session = try writer.beginSession(opening)
    seq = first - 1
  }

  /// A controller, attached at this time.
  func controller(
    _ name: String = "checkout", discipline: Discipline = .inOrder, fidelity: Fidelity = .full,
    at time: Int64 = 0,
    _ snapshot: (inout SnapshotRecord) -> Void = { _ in }
  ) throws {
    var record = SnapshotRecord()
    snapshot(&record)
    let number = try writer.addController(
      session: session, name: name, policy: "queue", discipline: discipline.rawValue,
      fidelity: fidelity.rawValue, snapshot: record.text)
    controllers.append(number)
    add(time, .attached, controller: controllers.count - 1)
    for (request, reason) in PolicySnapshot(record).stood {
      add(
        time, .stood, request.visit.rawValue, request.state.description, reason,
        controller: controllers.count - 1)
    }
  }

  func add(
    _ time: Int64, _ kind: EventKind, _ visit: UInt32 = 0, _ state: String? = nil,
    _ reason: EventReason? = nil, controller: Int = 0, answers: UInt64 = 0
  ) {
    seq += 1
    if answers != 0 {
      details.append(EventDetail(seq: seq))
      details[details.count - 1].answers = answers
    }
    let name = state.map { try! writer.intern(name: $0) }
    rows.append(
      EventRow(
        seq: seq, time: time * 1_000, kind: kind, reason: reason?.code ?? 0,
        controller: kind == .mark ? 0 : controllers[controller], visit: visit, state: name ?? 0))
  }

  /// The next events are lost.
  func lose(_ count: Int64 = 1) {
    losses.append(
      LossRecord(firstSeq: seq + 1, lastSeq: seq + count, count: count, reason: "overload"))
    seq += count
  }

  /// A visit that enters and exits, requested at the first of these times.
  func visit(
    _ visit: UInt32, _ state: String, asked: Int64, told: Int64, entered: Int64,
    dismissed: Int64? = nil, out: Int64? = nil, controller: Int = 0
  ) {
    add(asked, .enqueued, visit, state, controller: controller)
    add(told, .entering, visit, state, controller: controller)
    add(entered, .entered, visit, state, controller: controller)
    if let dismissed { add(dismissed, .exiting, visit, state, controller: controller) }
    if let out { add(out, .exited, visit, state, controller: controller) }
  }

  /// Writes it; the recording ends at this time.
  func end(at time: Int64, _ end: SessionEnd = .clean) throws {
    add(time, .mark)
    try writer.append(rows, details: details, to: session)
    for loss in losses {
      try writer.recordLoss(
        first: loss.firstSeq, last: loss.lastSeq, count: loss.count, reason: loss.reason)
    }
    try writer.endSession(session, end)
  }
}

extension TemporaryHistory {
  /// Writes one session.
  func tell(_ body: (Tale) throws -> Void) throws {
    try write { try body(Tale($0)) }
  }
}

extension SnapshotRecord {
  /// Puts a visit on the stage.
  mutating func stand(_ visit: UInt32, _ state: String, _ phase: Phase) {
    var request = Request(visit: visit, state: state)
    request.phase = phase.rawValue
    standing.append(request)
  }

  /// Declares a move; from nowhere is from the beginning.
  mutating func declare(_ from: String?, _ to: String, isAnywhere: Bool? = nil) {
    var route = Route(to: to)
    (route.from, route.isAnywhere) = (from, isAnywhere)
    routes = (routes ?? []) + [route]
  }
}
