import Staty
import StatyHistory

/// The replay of a session's policies: each is told every recorded input, and its outputs are
/// compared with the recorded ones.
struct PolicyReplay {
  let names: RecordedNames
  var result = ReplayResult()
  var digest = ReplayDigest()
  private var replayed: [Int32: ReplayedController] = [:] { didSet { latest = nil } }
  /// The controller of the latest look-up: the next event is mostly of the same one.
  private var latest: (id: Int32, controller: ReplayedController)?
  /// The first number of the first loss that was reached, and the last number of any.
  private var lost: (first: Int64, last: Int64)?
  /// The controllers for which it is decided whether they are replayed.
  private var settled: Set<Int32> = []

  /// The first number of a session that continues another; 0 if it does not.
  private let continuedFrom: Int64

  init(_ session: SessionRecord, names: RecordedNames) {
    self.names = names
    continuedFrom = session.run == nil ? 0 : session.firstSeq
  }

  /// Begins to replay a controller.
  mutating func begin(_ record: ControllerRecord, _ make: (PolicySnapshot) -> PolicySubject) {
    guard let snapshot = SnapshotRecord(record.snapshot) else {
      result.add(.unknownController(controller: record.id, policy: record.kind))
      return
    }
    replayed[record.id] = ReplayedController(
      make(PolicySnapshot(snapshot)), id: record.id, from: snapshot,
      record.comparability)
  }

  /// Stops replaying a controller.
  mutating func end(_ id: Int32) {
    replayed[id] = nil
  }

  /// Takes the next event of the recording.
  ///
  /// - Returns: whether the event is done; if not, it belongs to a class that is run again.
  mutating func take(
    _ event: RecordedEvent, _ found: PlaceNesting.Found, _ nesting: inout PlaceNesting,
    _ cast: inout Cast
  ) -> Bool {
    let id = event.row.controller
    guard let kind = event.kind else {
      result.add(.unreadable(seq: event.row.seq))
      return true
    }
    guard kind.isReplayed else { return true }
    if found.isMisplaced, replayed[id] != nil || cast.opaque.contains(id) {
      result.add(.misplaced(seq: event.row.seq, cause: event.row.inside))
    }
    if cast.opaque.contains(id) { return false }
    switch kind {
    case .attached: cast.begin(id, at: event.row.seq, &self)
    case .detached: end(id)
    default:
      if event.row.inside != 0, event.row.inside < continuedFrom { endAtWork(id) }
      if let controller = controller(id) {
        switch kind.side {
        case .output: compare(event, controller, &nesting)
        case .input: tell(event, controller, found, &nesting)
        case .note: break
        }
      }
      if hasLost { cast.noteUnbegun(id, &self) }
    }
    return true
  }

  /// The earlier session ended while the controller was at work, so its pending decisions are not
  /// known.
  private mutating func endAtWork(_ id: Int32) {
    guard replayed[id] != nil else { return }
    result.add(.lateAttachment(controller: id))
    end(id)
  }

  private mutating func controller(_ id: Int32) -> ReplayedController? {
    if let latest, latest.id == id { return latest.controller }
    guard let found = replayed[id] else { return nil }
    latest = (id, found)
    return found
  }

  /// Stops replaying all controllers recorded so far: it is not known which of them the missing
  /// events belong to.
  mutating func stopAt(_ loss: LossRecord) {
    lost = (lost?.first ?? loss.firstSeq, max(lost?.last ?? 0, loss.lastSeq))
    for id in replayed.keys.sorted() {
      result.add(.gap(controller: id, seq: loss.firstSeq))
    }
    replayed = [:]
  }

  /// Whether a loss was reached.
  var hasLost: Bool { lost != nil }

  /// Decides whether a controller that was attached can be replayed from here on.
  ///
  /// It cannot be replayed inside a loss.
  mutating func settle(_ id: Int32, at seq: Int64) -> Bool {
    settled.insert(id)
    guard let lost, seq <= lost.last else { return true }
    result.add(.gap(controller: id, seq: lost.first))
    return false
  }

  /// Notes a doubt about a controller that has no `attached`.
  mutating func noteUnbegun(_ id: Int32) {
    guard let lost, settled.insert(id).inserted else { return }
    result.add(.gap(controller: id, seq: lost.first))
  }

  /// Ends the replay: decisions that are still pending are extra.
  ///
  /// They are not if the session was killed or is read up to an event only, unless the call in
  /// which they were decided had ended by then.
  ///
  /// - Parameter isWhole: whether the session was read to its end.
  mutating func finish(_ session: SessionRecord, isWhole: Bool, _ nesting: PlaceNesting) {
    let isOver = isWhole && session.ended == .clean
    for (id, controller) in replayed.sorted(by: { $0.key < $1.key }) {
      guard isOver || isOverdue(controller, nesting) else { continue }
      guard let outcome = controller.finishBefore(nil) else { continue }
      let shown = isOver ? session.lastSeq ?? 0 : nesting.highest
      note(outcome, id, controller, seq: shown, time: session.lastTime)
    }
  }
}

// MARK: Inputs and outputs

extension PolicyReplay {
  /// Whether the handling in which the next pending decision was made had ended by now.
  private func isOverdue(_ controller: ReplayedController, _ nesting: PlaceNesting) -> Bool {
    // A recording of less fidelity does not say what happened in what.
    guard controller.comparability.hasCauses, let first = controller.subject.outputs.first else {
      return false
    }
    return nesting.isOver(first.cause)
  }

  private mutating func tell(
    _ event: RecordedEvent, _ controller: ReplayedController, _ found: PlaceNesting.Found,
    _ nesting: inout PlaceNesting
  ) {
    guard let input = RecordedInput(event, names: names) else {
      result.add(.unreadable(seq: event.row.seq))
      return
    }
    if event.row.cause > 0, !nesting.isReachable(event.row.cause) {
      nesting.leaveOut(event.row.seq)
      return result.add(unreached: event.row.seq)
    }
    let comparability = controller.comparability
    if controller.subject.isAtWork, comparability.hasOrders, !comparability.hasCauses {
      // The order alone does not say whether it was made inside the current handling, or before a
      // pending decision.
      result.addUnbracketed(at: event.row.seq, of: event.row.controller)
    }
    // While a controller is at work, an input either comes from its own work or follows all its
    // pending decisions. A deferred step continues the work that deferred it.
    let isInHand = found.isInHand || event.kind == .resumed && event.row.ownCause != 0
    if controller.subject.isAtWork, !isInHand, let outcome = controller.finishBefore(input) {
      note(outcome, event, controller)
    }
    note(controller.tell(input, event), event, controller)
  }

  private mutating func compare(
    _ event: RecordedEvent, _ controller: ReplayedController, _ nesting: inout PlaceNesting
  ) {
    guard let output = Output(event, names: names) else { return }
    let (outcome, happened) = controller.compare(output, event)
    if !happened { nesting.leaveOut(event.row.seq) }
    note(outcome, event, controller)
  }

  private mutating func note(
    _ outcome: ReplayedController.Outcome, _ event: RecordedEvent,
    _ controller: ReplayedController
  ) {
    note(outcome, event.row.controller, controller, seq: event.row.seq, time: event.row.time)
    guard controller.isOutgrown else { return }
    result.add(.outgrown(controller: event.row.controller, seq: event.row.seq))
    end(event.row.controller)
  }

  private mutating func note(
    _ outcome: ReplayedController.Outcome, _ id: Int32, _ controller: ReplayedController,
    seq: Int64, time: Int64
  ) {
    digest.add(UInt64(bitPattern: seq))
    switch outcome {
    case .matched: result.matched += 1
    case .told: result.told += 1
    case .diverged(let difference, let isConsequence):
      digest.add(difference)
      if isConsequence { return }
      result.add(
        Divergence(
          difference: difference, controller: id, seq: seq, time: time,
          standing: controller.subject.snapshot, matchedBefore: result.matched))
    }
  }
}
