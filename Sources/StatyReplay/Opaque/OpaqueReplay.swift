import Staty
import StatyHistory

/// Runs the opaque controllers of a session again, and replays its policies beside them.
///
/// The recording is drawn from: what a controller does by itself is compared with what the
/// recording says that it did next, and what it was told is told where it was told, from inside the
/// call that it was told in. So the calls of the replay lie in each other as those of the app did.
final class OpaqueReplay {
  let session: SessionRecord
  let isWhole: Bool
  let cast: Cast
  let numbering = Numbering()
  var window: RecordingWindow
  var policies: PolicyReplay
  var placement: Placement
  var controllers: [Int32: OpaqueController] = [:]
  /// What is being handled, the innermost last.
  var frames: [Frame] = []
  /// What is being told, the innermost last.
  var tellings: [Telling] = []
  /// What observers have not heard of yet, by the numbers of the replay.
  var unheard: [UInt64: Frame] = [:]
  var uncertainty = Uncertainty()
  /// Whether something was supposed wrongly, and the replay has to begin anew.
  var isSpoilt = false
  var effort = Effort()
  /// The controllers that do not stand where the recording does.
  var outOfStep: Set<Int32> = []
  private var followers: [Int32: ReplayFollower] = [:]

  init(
    _ events: RecordedEvents, session: SessionRecord, isWhole: Bool, cast: Cast,
    names: RecordedNames, placement: Placement
  ) {
    self.session = session
    self.isWhole = isWhole
    self.cast = cast
    self.placement = placement
    window = RecordingWindow(events, cast)
    policies = PolicyReplay(names: names, cast)
  }

  /// Goes through the session; `nil` if something was supposed wrongly that ``placement`` now has
  /// right.
  func run() throws(HistoryError) -> ReplayResult? {
    defer {
      for id in controllers.keys { end(id) }
      window.letGo()
    }
    repeat {
      while !isSpoilt, let entry = window.next() { step(entry) }
      if let loss = window.takeLoss() { stopAt(loss) } else { break }
    } while !isSpoilt
    if let failure = window.failure { throw failure }
    if isSpoilt { return nil }
    policies.finish(session, isWhole: isWhole)
    policies.result.finish(policies.digest)
    return policies.result
  }

  /// Nothing is under way: takes the next event of the recording.
  private func step(_ entry: RecordingWindow.Entry) {
    effort.begin()
    // What a controller that was given up had under way is over, too.
    frames.removeAll(keepingCapacity: true)
    unheard.removeAll(keepingCapacity: true)
    if isAlongside(entry) { return takeAlongside(entry) }
    guard let controller = controllers[entry.controller], let kind = entry.event.kind else {
      if policies.hasLost { cast.noteUnbegun(entry.controller, &policies) }
      return pass(entry)
    }
    if controller.isOutput(kind) {
      if !helpOutput(entry, kind, controller) { miss(entry, controller) }
    } else {
      noteLeftOver(entry)
      noteNestedStep(entry)
      tell(entry, controller)
    }
    for id in outOfStep {
      controllers[id]?.findStep()
      if controllers[id]?.isInStep ?? true { outOfStep.remove(id) }
    }
  }

  private func stopAt(_ loss: LossRecord) {
    policies.stopAt(loss)
    for id in controllers.keys.sorted() {
      policies.result.add(.gap(controller: id, seq: loss.firstSeq))
      end(id)
    }
  }
}

// MARK: The cast

extension OpaqueReplay {
  /// Whether the event needs no controller to be run: it goes its way beside them.
  func isAlongside(_ entry: RecordingWindow.Entry) -> Bool {
    guard let kind = entry.event.kind else { return true }
    if kind == .attached || kind == .detached || kind.side == .note { return true }
    return !cast.opaque.contains(entry.controller)
  }

  func takeAlongside(_ entry: RecordingWindow.Entry) {
    pass(entry)
    let id = entry.controller
    switch entry.event.kind {
    case nil: policies.result.add(.unreadable(seq: entry.seq))
    case .attached:
      if cast.opaque.contains(id) {
        begin(id, at: entry.seq)
      } else {
        cast.begin(id, at: entry.seq, &policies)
      }
    case .detached: if cast.opaque.contains(id) { end(id) } else { policies.end(id) }
    case .mark, .lost, .stood: break
    case .some(let kind):
      policies.take(entry.event, kind, isInHand: entry.isInHand)
      if policies.hasLost { cast.noteUnbegun(id, &policies) }
    }
  }

  /// Goes past an event.
  func pass(_ entry: RecordingWindow.Entry) {
    window.take(entry)
    if entry.isMisplaced {
      policies.result.add(.misplaced(seq: entry.seq, cause: entry.event.row.cause))
    }
    policies.noteSeen(entry.event.row)
    effort.begin()
  }

  private func begin(_ id: Int32, at seq: Int64) {
    guard let part = cast.parts[id], case .opaque(let factory) = part.entry,
      policies.settle(id, at: seq)
    else { return }
    guard let snapshot = SnapshotRecord(part.record.snapshot), snapshot.isIdle else {
      policies.result.add(.lateAttachment(controller: id))
      return
    }
    let probe = ControllerProbe(
      StateName(part.name), fidelity: part.record.knownFidelity)
    let context = ReplayContext(
      controller: part.record.name, probe: probe, clock: ReplayClock(),
      scheduler: ReplayScheduler())
    context.scheduler.currentCause = { [weak self] in self?.frames.last?.seq ?? 0 }
    do {
      let controller = try OpaqueController(part.record, snapshot, context, factory)
      let follower = ReplayFollower(self, id)
      _ = probe.events.share(numbering)
      probe.events.add(follower)
      probe.follower = follower
      controllers[id] = controller
      followers[id] = follower
    } catch {
      policies.result.add(.notMade(controller: id, reason: "\(error)"))
    }
  }

  /// A controller is not replayed any further; what it does from now on goes unnoticed.
  func end(_ id: Int32) {
    guard let controller = controllers.removeValue(forKey: id) else { return }
    controller.context.probe.follower = nil
    unheard = unheard.filter { $0.value.controller != id }
    if let follower = followers.removeValue(forKey: id) {
      follower.replay = nil
      controller.context.probe.events.remove(follower)
    }
  }
}

extension SnapshotRecord {
  /// Whether nothing was under way, so that a fresh controller stands where this one stood.
  var isIdle: Bool {
    waiting.isEmpty && standing.allSatisfy { $0.phase == Phase.left.rawValue }
  }
}
