import Staty
import StatyHistory

/// The replay of a session's policies: each is told every recorded input, and its outputs are
/// compared with the recorded ones.
struct PolicyReplay {
  private let names: RecordedNames
  private let account: ReplayAccount
  private var replayed: [Int32: ReplayedPolicy] = [:] { didSet { latest = nil } }
  /// The controller of the latest look-up: the next event is mostly of the same one.
  private var latest: (id: Int32, controller: ReplayedPolicy)?
  /// The class of the latest event of a class.
  private var latestClass: Int32?
  /// The controllers that a loss may affect, which are replayed up to there.
  private var stopped: Set<Int32> = []
  /// The first number of a session that continues another; 0 if it does not.
  private let continuedFrom: Int64

  init(_ session: SessionRecord, names: RecordedNames, _ account: ReplayAccount) {
    (self.names, self.account) = (names, account)
    continuedFrom = session.run == nil ? 0 : session.firstSeq
  }

  /// Begins to replay a controller, or notes that it cannot be made.
  private mutating func begin(_ part: Cast.Part?) {
    guard let part else { return }
    let record = part.record
    guard case .policy(let make) = part.entry else {
      return account.result.add(.unknownController(controller: record.id, kind: part.name))
    }
    guard let snapshot = SnapshotRecord(record.snapshot) else {
      return account.result.add(.unreadableSnapshot(controller: record.id))
    }
    replayed[record.id] = ReplayedPolicy(
      make(PolicySnapshot(snapshot)), from: snapshot, record.comparability)
  }

  /// Stops replaying a controller, a policy or a class, that a loss may affect.
  mutating func stop(_ id: Int32, at loss: LossRecord) {
    guard stopped.insert(id).inserted else { return }
    account.result.add(.gap(controller: id, seq: loss.firstSeq))
    replayed[id] = nil
  }

  /// Takes the next event of the recording.
  ///
  /// - Parameter missed: a loss before it that may affect its controller.
  /// - Returns: whether the event is done; if not, it belongs to a class that is run again.
  mutating func take(
    _ event: RecordedEvent, behind missed: LossRecord?, _ found: PlaceNesting.Found,
    _ nesting: inout PlaceNesting, _ cast: Cast
  ) -> Bool {
    let id = event.row.controller
    guard let kind = event.kind else {
      account.result.add(.unreadable(seq: event.row.seq))
      return true
    }
    guard kind.isReplayed else { return true }
    if let missed, cast.plays(id) {
      stop(id, at: missed)
      return true
    }
    let isOpaque = id == latestClass || cast.opaque.contains(id)
    if found.isMisplaced, replayed[id] != nil || isOpaque {
      account.result.add(.misplaced(seq: event.row.seq, cause: event.row.inside))
    }
    if isOpaque {
      latestClass = id
      return false
    }
    switch kind {
    case .attached: begin(cast.parts[id])
    case .detached: end(event, nesting)
    default:
      if event.row.inside != 0, event.row.inside < continuedFrom { endAtWork(id) }
      if let controller = controller(id) {
        switch kind.side {
        case .output: compare(event, controller, &nesting)
        case .input: tell(event, controller, found, &nesting)
        case .note: break
        }
      }
    }
    return true
  }

  /// Ends a controller: decisions that are still pending are extra, if their handling had ended.
  private mutating func end(_ event: RecordedEvent, _ nesting: PlaceNesting) {
    let id = event.row.controller
    guard let controller = replayed.removeValue(forKey: id), isOverdue(controller, nesting),
      let difference = controller.finishBefore(nil)
    else { return }
    note(difference, id, controller, seq: event.row.seq, time: event.row.time)
  }

  /// The earlier session ended while the controller was at work, so its pending decisions are not
  /// known.
  private mutating func endAtWork(_ id: Int32) {
    guard replayed[id] != nil else { return }
    account.result.add(.lateAttachment(controller: id))
    replayed[id] = nil
  }

  private mutating func controller(_ id: Int32) -> ReplayedPolicy? {
    if let latest, latest.id == id { return latest.controller }
    guard let found = replayed[id] else { return nil }
    latest = (id, found)
    return found
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
      guard let difference = controller.finishBefore(nil) else { continue }
      let shown = isOver ? session.lastSeq ?? 0 : nesting.highest
      note(difference, id, controller, seq: shown, time: session.lastTime)
    }
  }
}

// MARK: Inputs and outputs

extension PolicyReplay {
  /// Whether the handling in which the next pending decision was made had ended by now.
  private func isOverdue(_ controller: ReplayedPolicy, _ nesting: PlaceNesting) -> Bool {
    // A recording of less fidelity does not say what happened in what.
    guard controller.comparability.hasCauses, let first = controller.subject.outputs.first else {
      return false
    }
    return nesting.isOver(first.cause)
  }

  private mutating func tell(
    _ event: RecordedEvent, _ controller: ReplayedPolicy, _ found: PlaceNesting.Found,
    _ nesting: inout PlaceNesting
  ) {
    guard let input = RecordedInput(event, names: names) else {
      account.result.add(.unreadable(seq: event.row.seq))
      return
    }
    if event.row.cause > 0, !nesting.isReachable(event.row.cause) {
      nesting.leaveOut(event.row.seq)
      return account.result.add(unreached: event.row.seq)
    }
    let comparability = controller.comparability
    if controller.subject.isAtWork, comparability.hasOrders, !comparability.hasCauses {
      // The order alone does not say whether it was made inside the current handling, or before a
      // pending decision.
      account.result.addUnbracketed(at: event.row.seq, of: event.row.controller)
    }
    // While a controller is at work, an input either comes from its own work or follows all its
    // pending decisions. A deferred step continues the work that deferred it.
    let isInHand = found.isInHand || event.kind == .resumed && event.row.ownCause != 0
    if controller.subject.isAtWork, !isInHand, let difference = controller.finishBefore(input) {
      note(difference, event.row.controller, controller, seq: event.row.seq, time: event.row.time)
    }
    note(controller.tell(input, event), event, controller)
  }

  private mutating func compare(
    _ event: RecordedEvent, _ controller: ReplayedPolicy, _ nesting: inout PlaceNesting
  ) {
    guard let kind = event.kind, kind.side == .output else { return }
    let output = Output(reportedIn: event, kind, names)
    let (difference, happened) = controller.compare(output, event)
    if !happened { nesting.leaveOut(event.row.seq) }
    note(difference, event, controller)
  }

  private mutating func note(
    _ difference: Divergence.Difference?, _ event: RecordedEvent, _ controller: ReplayedPolicy
  ) {
    let (id, seq) = (event.row.controller, event.row.seq)
    // Of three kinds, `entered` is compared: it stands for the decision to let the state enter.
    let isDecision = event.kind.map(controller.comparability.isDecision) ?? false
    if let difference {
      note(difference, id, controller, seq: seq, time: event.row.time)
    } else {
      account.digest.add(UInt64(bitPattern: seq))
      if isDecision { account.result.matched += 1 }
    }
    if !isDecision { account.result.told += 1 }
    // Only after the difference: at an input, both sides may agree again at once.
    if difference == nil || event.kind?.side == .input { controller.findStep() }
    guard controller.isOutgrown else { return }
    account.result.add(.outgrown(controller: id, seq: seq))
    replayed[id] = nil
  }

  private mutating func note(
    _ difference: Divergence.Difference, _ id: Int32, _ controller: ReplayedPolicy,
    seq: Int64, time: Int64
  ) {
    account.digest.add(UInt64(bitPattern: seq))
    account.digest.add(difference)
    guard controller.lose(difference) else { return }
    account.result.add(
      Divergence(
        difference: difference, controller: id, seq: seq, time: time,
        standing: controller.subject.snapshot, matchedBefore: account.result.matched))
  }
}
