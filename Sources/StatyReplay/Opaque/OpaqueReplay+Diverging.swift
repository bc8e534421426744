import Staty
import StatyHistory

// What to do when the replay and the recording part.
extension OpaqueReplay {
  /// A controller did something that the recording does not have next.
  ///
  /// - Returns: the number of the recorded event that it is all the same, a little different.
  func part(
    _ event: TransitionEvent, _ output: Output, _ entry: RecordingWindow.Entry,
    _ controller: OpaqueController
  ) -> Int64? {
    if isSupposedWrongly(entry, controller) { return nil }
    if let frame = frames.last, frame.seq != nil, entry.event.row.thread != frame.thread,
      entry.event.kind == .resumed || !isUnderWay(entry.parent) && !isUnheard(entry.parent),
      controller.comparability.hasCauses, entry.event.kind?.side == .input
    {
      overlap(controller, entry)
      return nil
    }
    if entry.event.kind == .detached, entry.parent != 0 {
      // Recording ended in the midst of what is going on.
      end(controller.id)
      return nil
    }
    let expected = recorded(entry).completed(by: output)
    if expected.kind == output.kind, expected.visit == output.visit {
      pass(entry)
      controller.follow(entry.event)
      let isSame = policies.names[entry.event.row.state] == event.state
      diverge(
        isSame
          ? Divergence.Difference(recorded: expected, replayed: output)
          : .different(recorded: expected, replayed: output), entry, controller)
      return entry.seq
    }
    diverge(difference(expected, output, entry, controller), entry, controller)
    return nil
  }

  /// What is the difference between what was recorded next and what was done.
  private func difference(
    _ expected: Output, _ output: Output, _ entry: RecordingWindow.Entry,
    _ controller: OpaqueController
  ) -> Divergence.Difference {
    let hasCauses = controller.comparability.hasCauses
    let isLater = window.waiting(of: controller.id).prefix(Self.mostReordered).contains {
      $0.event.kind == output.kind && $0.event.row.visit == output.visit.rawValue
        && (!hasCauses || $0.parent == output.cause)
    }
    if isLater { return .reordered(recorded: expected, replayed: output) }
    let isInstead =
      controller.isOutput(expected.kind) && (!hasCauses || entry.parent == output.cause)
    return isInstead ? .different(recorded: expected, replayed: output) : .extra(output)
  }

  /// A controller did something after the last event that the recording has of it.
  ///
  /// In a session that was killed, or is looked at up to an event, it may have been about to. It was
  /// not if what it did it in was over by then.
  func goBeyond(_ output: Output, _ controller: OpaqueController) {
    guard window.horizon != .gap else { return }
    var shown = (seq: session.lastSeq ?? 0, time: session.lastTime)
    if window.horizon == .end, !isWhole || session.ended != .clean {
      guard let later = endOfHandling(controller) else { return }
      shown = later
    }
    if isSupposedWrongly(nil, controller) { return }
    diverge(.extra(output), seq: shown.seq, time: shown.time, controller)
  }

  /// The recorded event that shows that what the controller is at work in was over.
  private func endOfHandling(_ controller: OpaqueController) -> (seq: Int64, time: Int64)? {
    guard controller.comparability.hasCauses, let seq = bracketed,
      let thread = policies.thread(of: seq)
    else { return nil }
    if let later = window.outermost(after: seq, onThread: thread) {
      return (later.seq, later.event.row.time)
    }
    // The window has let go of what was gone past already.
    return policies.isOver(seq) ? (policies.lastSeen, session.lastTime) : nil
  }

  /// The innermost recorded event under way of which is known what happened in it.
  private var bracketed: Int64? {
    let isBracketed = { [self] in controllers[$0]?.comparability.hasCauses ?? false }
    let frame = frames.last { $0.seq != nil && isBracketed($0.controller) }
    return frame?.seq ?? tellings.last { isBracketed($0.controller) }?.entry.seq
  }

  /// Before a divergence is believed: whether an input was told that the controller makes by
  /// itself, or waited for that has to be told.
  func isSupposedWrongly(
    _ entry: RecordingWindow.Entry?, _ controller: OpaqueController
  ) -> Bool {
    guard controller.isInStep else { return false }
    if let entry, entry.isInput, !entry.isHeard, isInside(entry, controller) {
      noteUnsupposed(entry, controller)
      isSpoilt = placement.tellEarly(entry.seq)
    }
    if !isSpoilt {
      isSpoilt = frames.contains {
        guard $0.controller == controller.id, let told = $0.toldAtOnce else { return false }
        return placement.await(told, of: controller.id)
      }
    }
    return isSpoilt
  }

  private func isInside(
    _ entry: RecordingWindow.Entry, _ controller: OpaqueController
  ) -> Bool {
    if controller.comparability.hasCauses {
      return entry.parent != 0 && (isUnderWay(entry.parent) || isUnheard(entry.parent))
    }
    return tellings.contains { $0.controller == controller.id }
  }

  /// The recording has an event that did not happen where it should have.
  func miss(_ entry: RecordingWindow.Entry, _ controller: OpaqueController) {
    if isSupposedWrongly(nil, controller) { return }
    pass(entry)
    controller.follow(entry.event)
    noteUnhappened(entry.seq, controller)
    diverge(.missing(recorded(entry)), entry, controller)
  }

  /// Nothing under way makes the next output; perhaps something does that was not reported.
  ///
  /// - Returns: whether the output has happened.
  func helpOutput(
    _ entry: RecordingWindow.Entry, _ kind: EventKind, _ controller: OpaqueController
  ) -> Bool {
    if kind == .entered { return arrive(entry, controller) }
    guard entry.parent == 0 else { return false }
    let isWaiting = { [self] in window.next(of: controller.id)?.seq == entry.seq }
    let isThere = { [self] in !isSpoilt && controllers[controller.id] === controller }
    while isThere(), isWaiting(), let step = controller.context.scheduler.takeOldest() {
      if effort.isTooManySteps() {
        runAway(controller, at: entry.seq)
        break
      }
      step()
    }
    // Whoever was given up did what the recording says as far as anybody knows.
    guard isThere() else { return true }
    // A controller without brackets may report what it was told after what it did about it.
    if isWaiting(), let input = nextInput(controller) { tell(input, controller) }
    return isSpoilt || !isWaiting()
  }

  /// With three kinds alone: the state was told to come in, and says now that it is in.
  private func arrive(
    _ entry: RecordingWindow.Entry, _ controller: OpaqueController
  ) -> Bool {
    guard let script = controller.script(of: entry.event.row.visit), script.isComing,
      script.onCompletion != nil
    else { return false }
    tell(entry, controller)
    policies.result.matched += 1
    policies.result.told -= 1
    return true
  }

  private func nextInput(_ controller: OpaqueController) -> RecordingWindow.Entry? {
    let next = window.waiting(of: controller.id).first { $0.event.kind?.side != .output }
    guard let next, next.event.kind?.side == .input, next.event.kind != .detached,
      next.event.row.cause == 0
    else { return nil }
    return next
  }
}

// MARK: What is said

extension OpaqueReplay {
  /// Of so many that come next it is looked whether an output is among them, only later.
  private static let mostReordered = 64

  func diverge(
    _ difference: Divergence.Difference, _ entry: RecordingWindow.Entry,
    _ controller: OpaqueController
  ) {
    diverge(difference, seq: entry.seq, time: entry.event.row.time, controller)
  }

  func diverge(
    _ difference: Divergence.Difference, seq: Int64, time: Int64, _ controller: OpaqueController
  ) {
    policies.digest.add(difference)
    let doubt = controller.isInStep ? doubt(about: controller, at: seq) : nil
    if let doubt, doubt.guess != .unbracketed { return giveUp(controller, doubt) }
    outOfStep.insert(controller.id)
    guard controller.loseStep(difference) else { return }
    if let doubt { say(doubt, controller) }
    policies.result.add(
      Divergence(
        difference: difference, controller: controller.id, seq: seq, time: time,
        standing: controller.standing, matchedBefore: policies.result.matched))
  }

  /// Two threads were inside the controller at once, and who came when is not recorded.
  func overlap(_ controller: OpaqueController, _ entry: RecordingWindow.Entry) {
    policies.result.add(
      .overlappingHandling(controller: controller.id, seq: entry.seq))
    end(controller.id)
  }

  /// The controller does not come to an end, for all that it was told up to this event.
  func runAway(_ controller: OpaqueController, at seq: Int64) {
    policies.result.add(.runaway(controller: controller.id, seq: seq))
    end(controller.id)
  }
}

/// How much the controllers did since the recording last went on.
struct Effort {
  /// So many reports or steps without the recording going on, or so many reports inside each other, are
  /// too much.
  private static let most = (reports: 10_000, steps: 100_000, depth: 1_000)
  private var reports = 0
  private var steps = 0

  /// The recording went on.
  mutating func begin() { (reports, steps) = (0, 0) }

  mutating func isTooMuch(depth: Int) -> Bool {
    reports += 1
    return reports > Self.most.reports || depth > Self.most.depth
  }

  /// Steps that were put off may be many where a controller looks again and again.
  mutating func isTooManySteps() -> Bool {
    steps += 1
    return steps > Self.most.steps
  }
}
