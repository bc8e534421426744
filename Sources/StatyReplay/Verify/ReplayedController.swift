import Staty
import StatyHistory

/// One controller of a recording, driven again beside it.
///
/// The recording is gone through in order. An input is told where it stands. An output has to be
/// the next decision that the replayed policy has not performed yet; performing it opens it for
/// the inputs that were recorded inside of it. That is the order in which the live controller
/// works: it is told of everything at once, and performs one decision after the other when nothing
/// else is in hand.
final class ReplayedController {
  let subject: PolicySubject
  private let id: Int32
  /// What of it can be compared.
  let comparability: Comparability
  /// Whether the replay stands where the recording does.
  // Unchecked, as `recorded`: used by one replay, and no access lasts while other code runs.
  @exclusivity(unchecked) private var step = Stride.inStep
  @exclusivity(unchecked) private var recorded: RecordedStage

  /// Whether so much waits in the replay that it will not find back, and costs ever more to look at.
  private(set) var isOutgrown = false
  private static let mostWaiting = 4_096
  /// How many requests were told since the replay went another way.
  private var askedOutOfStep = 0

  /// What came of an event.
  enum Outcome {
    case matched
    case told
    /// It went another way; a consequence if the replay was out of step already.
    case diverged(Divergence.Difference, isConsequence: Bool)
  }

  init(
    _ subject: PolicySubject, id: Int32, from snapshot: SnapshotRecord,
    _ comparability: Comparability = Comparability(.full)
  ) {
    self.subject = subject
    self.id = id
    self.comparability = comparability
    recorded = RecordedStage(snapshot)
  }

  /// What the replay did that the recording does not have, before this input; none if there is
  /// nothing.
  ///
  /// A controller performs all that it decided before it is told anything in which it has no part.
  ///
  /// Which inputs those are only a full recording says. One of three kinds has no decisions: all are
  /// taken for performed, and whether a completion then fits is what is compared.
  func finishBefore(_ input: RecordedInput?) -> Outcome? {
    if !comparability.hasOrders { subject.dropOutputs() }
    guard subject.isAtWork, comparability.hasCauses || input == nil else { return nil }
    guard let first = subject.outputs.first else { return nil }
    // It is torn down in the place of telling a state anything when what its states are shown on has
    // gone.
    if case .signal(.cancelled(.tearDown)) = input, first.kind != .discarded { return nil }
    subject.dropOutputs()
    return diverge(.extra(first))
  }

  /// Tells the policy of an input.
  func tell(_ input: RecordedInput, _ event: RecordedEvent) -> Outcome {
    recorded.follow(event)
    defer { findStep() }
    switch input {
    // No policy receives messages.
    case .message: return .told
    case .signal(let signal):
      if step == .outOfStep, case .requested = signal { lookForOutgrowth() }
      _ = subject.tell(signal, number: event.row.seq)
      return .told
    case .completion(let visit, let completion, let fit):
      let signal: Signal = completion == .entered ? .entered(visit) : .exited(visit)
      let replayed = subject.tell(signal, number: event.row.seq)
      if replayed == fit {
        // Of three kinds coming in is what is compared: it says that the state entered.
        let isDecision = completion == .entered && comparability.isDecision(.entered)
        return isDecision && fit == .fits ? .matched : .told
      }
      return diverge(.stray(visit, completion, recorded: fit))
    }
  }

  /// Holds a recorded output against what the policy decided.
  ///
  /// - Returns: besides the outcome, whether the output happened in the replay.
  func compare(_ output: Output, _ event: RecordedEvent) -> (Outcome, happened: Bool) {
    recorded.follow(event)
    var output = output
    if !comparability.hasCauses, let same = subject.outputs.first(where: { $0.isSame(as: output) })
    {
      // In whose handling it was made is not among what was recorded.
      output.cause = same.cause
    }
    if output.kind == .discarded, output.refusal == nil,
      let same = subject.outputs.first(where: { $0.isSame(as: output) })
    {
      output = output.completed(by: same)
    }
    if subject.perform(output) {
      findStep()
      return (.matched, true)
    }
    let waiting = subject.outputs
    guard let first = waiting.first else { return (diverge(.missing(output)), false) }
    let place = waiting.firstIndex { $0.isSame(as: output) }
    guard let place else {
      return (diverge(.different(recorded: output, replayed: first)), false)
    }
    subject.perform(at: place)
    return (
      diverge(
        place == 0
          ? Divergence.Difference(recorded: output, replayed: first)
          : .reordered(recorded: output, replayed: first)), true
    )
  }

  private func diverge(_ difference: Divergence.Difference) -> Outcome {
    .diverged(difference, isConsequence: !step.lose(difference))
  }

  /// After a divergence: both sides are in step again once both are idle with the same visit.
  private func findStep() {
    guard step != .inStep, !subject.isAtWork, recorded.isIdle else { return }
    let snapshot = subject.snapshot
    if recorded.isSame(as: snapshot) { step = .inStep }
    isOutgrown = snapshot.waiting.count > Self.mostWaiting
    if step == .inStep { askedOutOfStep = 0 }
  }

  /// To look at a snapshot costs as much as waits, so it is not done at each request.
  private func lookForOutgrowth() {
    askedOutOfStep += 1
    guard askedOutOfStep % Self.mostWaiting == 0 else { return }
    isOutgrown = subject.snapshot.waiting.count >= Self.mostWaiting - 1
  }
}

extension Output {
  /// Whether it is the same kind of decision about the same visit.
  fileprivate func isSame(as other: Output) -> Bool {
    kind == other.kind && visit == other.visit
  }
}

/// Where the recording says that a controller stands, as far as idleness goes.
struct RecordedStage {
  private var current: UInt32
  private var phase: Phase
  private var waiting: Int

  init(_ snapshot: SnapshotRecord) {
    current = snapshot.standing.last?.visit ?? 0
    phase = snapshot.standing.last?.phase.flatMap(Phase.init) ?? .empty
    waiting = snapshot.waiting.count
  }

  mutating func follow(_ event: RecordedEvent) {
    let visit = event.row.visit
    switch event.kind {
    case .enqueued: waiting += 1
    case .entering:
      waiting -= 1
      (current, phase) = (visit, .entering)
    case .entered: if visit == current { phase = .entered }
    case .exiting: if visit == current { phase = .exiting }
    case .exited: if visit == current { phase = .left }
    case .discarded: if visit == current { phase = .left } else { waiting -= 1 }
    default: break
    }
  }

  var isIdle: Bool { waiting <= 0 && phase != .entering && phase != .exiting }

  func isSame(as snapshot: PolicySnapshot) -> Bool {
    guard snapshot.waiting.isEmpty, snapshot.standing.count <= 1 else { return false }
    let standing = snapshot.standing.last
    return (standing?.request.visit.rawValue ?? 0) == current
      && (standing?.phase ?? .empty) == phase
  }
}
