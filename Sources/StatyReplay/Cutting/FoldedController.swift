import Staty
import StatyHistory

/// A controller of a recording that is followed so that it can be said where it stands.
///
/// It is replayed: what its policy then knows is a snapshot from which a replay can go on. That is
/// so only while it does what the recording says, and only when it has nothing left to perform.
final class FoldedController {
  private let replayed: ReplayedController
  private let policy: String
  /// The visits that are open, with the first visit that each one's object had.
  private var instances: [VisitNumber: VisitNumber] = [:]
  private var lastVisit: UInt32
  /// Whether it went another way than the recording.
  private var isAstray = false
  /// The event that it was told last, and when that was.
  private(set) var through: Int64
  private(set) var time: Int64

  /// - Parameters:
  ///   - snapshot: where it stood.
  ///   - seq: the event after which that was so.
  init(
    _ subject: PolicySubject, _ record: ControllerRecord, _ snapshot: SnapshotRecord,
    after seq: Int64, time: Int64
  ) {
    replayed = ReplayedController(subject, id: record.id, from: snapshot)
    policy = record.policy
    lastVisit = snapshot.lastVisit
    (through, self.time) = (seq, time)
    for request in snapshot.standing + snapshot.waiting {
      guard let instance = request.instance else { continue }
      instances[VisitNumber(request.visit)] = VisitNumber(instance)
    }
  }

  /// Takes in the next event of the controller.
  func take(_ event: RecordedEvent, names: RecordedNames) {
    (through, time) = (event.row.seq, event.row.time)
    guard !isAstray, let kind = event.kind else {
      isAstray = true
      return
    }
    note(event, kind)
    if kind.side == .output {
      guard let output = Output(event, names: names) else { return isAstray = true }
      check(replayed.compare(output, event).0)
    } else {
      guard let input = RecordedInput(event, names: names) else { return isAstray = true }
      if event.row.cause == 0, let outcome = replayed.finishBefore(input) { check(outcome) }
      check(replayed.tell(input, event))
    }
  }

  /// Where it stands; none if that cannot be said, or not at this event.
  var snapshot: SnapshotRecord? {
    guard isKnown, !isAtWork else { return nil }
    return SnapshotRecord(
      ControllerSnapshot(
        policy: StateName(policy), standing: replayed.subject.snapshot, instances: instances,
        lastVisit: lastVisit))
  }

  /// Whether it does what the recording says.
  var isKnown: Bool { !isAstray }

  /// Whether something was decided that it has not performed yet.
  var isAtWork: Bool { replayed.subject.isAtWork }

  private func check(_ outcome: ReplayedController.Outcome) {
    if case .diverged = outcome { isAstray = true }
  }

  private func note(_ event: RecordedEvent, _ kind: EventKind) {
    let visit = VisitNumber(event.row.visit)
    switch kind {
    case .enqueued:
      lastVisit = max(lastVisit, event.row.visit)
      if let instance = event.detail?.instance, instance != 0 {
        instances[visit] = VisitNumber(instance)
      }
    case .exited, .discarded: instances[visit] = nil
    default: break
    }
  }
}
