public import StatyHistory
import Staty

/// Replays one session: tells fresh controllers every recorded input and compares their outputs
/// with the recorded ones.
///
/// The file is gone through once, and memory does not grow with it.
public struct Verification {
  private let reader: HistoryReader
  private let session: SessionRecord
  private let last: Int64?
  private let controllers: [Int32: ControllerRecord]
  private let names: RecordedNames
  private var replayed: [Int32: ReplayedController] = [:]
  private var result = ReplayResult()
  private var seen = RecentNumbers()
  /// Recorded events that did not happen in the replay: what happened in them cannot be told.
  private var unhappened: Set<Int64> = []

  /// A verification of the session with this number.
  ///
  /// - Parameter last: the number of the event to end with; by default the session's last.
  public init(
    _ reader: HistoryReader, session: Int64, through last: Int64? = nil
  ) throws(HistoryError) {
    self.reader = reader
    self.session = try reader.session(session)
    self.last = last
    names = RecordedNames(try reader.names())
    let records = try reader.controllers(session: session)
    controllers = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
  }

  /// Goes through the session.
  public mutating func run() throws(HistoryError) -> ReplayResult {
    var events = try RecordedEvents(reader, session: session.id, through: last)
    while let event = events.next {
      while let loss = events.takeLoss() { stopAt(loss) }
      take(event)
      seen.insert(event.row.seq)
      try events.advance()
    }
    while let loss = events.takeLoss() { stopAt(loss) }
    if last == nil { finish() }
    return result
  }

  /// Whose events are missing cannot be known, so nobody who was recorded is replayed further.
  private mutating func stopAt(_ loss: LossRecord) {
    for id in replayed.keys.sorted() {
      result.doubts.append(.gap(controller: id, seq: loss.firstSeq))
    }
    replayed = [:]
  }

  /// What was decided and not performed when a session ended with a goodbye never was.
  private mutating func finish() {
    guard session.ended == .clean else { return }
    for (id, controller) in replayed.sorted(by: { $0.key < $1.key }) {
      guard let finding = controller.finishBefore(nil) else { continue }
      note(finding, id, controller, seq: session.lastSeq ?? 0, time: session.lastTime)
    }
  }
}

extension Verification {
  private mutating func take(_ event: RecordedEvent) {
    guard let kind = event.kind else {
      result.doubts.append(.unreadable(seq: event.row.seq))
      return
    }
    switch kind {
    case .attached: begin(event.row.controller)
    case .detached: replayed[event.row.controller] = nil
    case .mark, .lost: break
    default:
      guard let controller = replayed[event.row.controller] else { return }
      if kind.side == .output { compare(event, controller) } else { tell(event, controller) }
    }
  }

  private mutating func begin(_ id: Int32) {
    guard let record = controllers[id] else { return }
    guard let snapshot = SnapshotRecord(record.snapshot),
      let subject = BuiltInPolicies.subject(
        named: record.policy, restoring: PolicySnapshot(snapshot))
    else {
      result.doubts.append(.unknownController(controller: id, policy: record.policy))
      return
    }
    replayed[id] = ReplayedController(subject, id: id, from: snapshot)
  }

  private mutating func tell(_ event: RecordedEvent, _ controller: ReplayedController) {
    guard let input = RecordedInput(event, names: names) else {
      result.doubts.append(.unreadable(seq: event.row.seq))
      return
    }
    let cause = event.row.cause
    if cause != 0, unhappened.contains(cause) || !seen.mayContain(cause) {
      unhappened.insert(event.row.seq)
      result.unreached.append(event.row.seq)
      return
    }
    if cause == 0, let finding = controller.finishBefore(input) {
      note(finding, event, controller)
    }
    note(controller.tell(input, event), event, controller)
  }

  private mutating func compare(_ event: RecordedEvent, _ controller: ReplayedController) {
    guard let output = Output(event, names: names) else { return }
    let (finding, happened) = controller.compare(output, event)
    if !happened { unhappened.insert(event.row.seq) }
    note(finding, event, controller)
  }

  private mutating func note(
    _ finding: ReplayedController.Finding, _ event: RecordedEvent,
    _ controller: ReplayedController
  ) {
    note(
      finding, event.row.controller, controller, seq: event.row.seq, time: event.row.time)
  }

  private mutating func note(
    _ finding: ReplayedController.Finding, _ id: Int32, _ controller: ReplayedController,
    seq: Int64, time: Int64
  ) {
    switch finding {
    case .matched: result.matched += 1
    case .told: result.told += 1
    case .diverged(_, isConsequence: true): break
    case .diverged(let difference, isConsequence: false):
      result.divergences.append(
        Divergence(
          difference: difference, controller: id, seq: seq, time: time,
          standing: controller.subject.snapshot))
    }
  }
}
