import Staty
import StatyHistory

/// One policy of a recording, replayed while the recording is read.
///
/// The recording is read in order. An input is told when it is read. An output has to be the next
/// pending decision of the replayed policy. Performing that decision allows the inputs that were
/// recorded inside of it. The live controller works in the same order: it is told of everything at
/// once, and performs one decision after the other when nothing else is under way.
final class ReplayedPolicy {
  let subject: PolicySubject
  /// What of the controller can be compared.
  let comparability: Comparability
  /// Whether the replay agrees with the recording.
  // Unchecked, like `recorded`: used by one replay, and no access lasts while other code runs.
  @exclusivity(unchecked) private var stride = Stride.inStep
  @exclusivity(unchecked) private var recorded: RecordedStage

  /// Whether so many requests wait in the replay that it cannot agree again, and would take ever
  /// more time.
  private(set) var isOutgrown = false
  private static let mostWaiting = 4_096
  /// How many requests were told since the replay diverged.
  private var askedOutOfStep = 0

  init(
    _ subject: PolicySubject, from snapshot: SnapshotRecord, _ comparability: Comparability
  ) {
    self.subject = subject
    self.comparability = comparability
    recorded = RecordedStage(snapshot)
  }

  /// The pending decision before this input that the recording does not have; `nil` if there is
  /// none.
  ///
  /// A controller performs all its pending decisions before it is told an input from outside of its
  /// own work.
  ///
  /// Only a full recording says which inputs come from outside. A three-kind recording has no
  /// decisions: all are taken as performed, and whether a completion then fits is compared.
  func finishBefore(_ input: RecordedInput?) -> Divergence.Difference? {
    if !comparability.hasOrders { subject.dropOutputs() }
    guard subject.isAtWork, comparability.hasCauses || input == nil else { return nil }
    guard let first = subject.outputs.first else { return nil }
    // It is torn down instead of telling a state anything when the view that it shows states on is
    // gone.
    if case .signal(.cancelled(.tearDown)) = input, first.kind != .discarded { return nil }
    subject.dropOutputs()
    return .extra(first)
  }

  /// Tells the policy an input.
  ///
  /// - Returns: how the policy differs in that.
  func tell(_ input: RecordedInput, _ event: RecordedEvent) -> Divergence.Difference? {
    recorded.follow(event)
    switch input {
    // No policy receives messages.
    case .message: return nil
    case .signal(let signal):
      if stride == .outOfStep, case .requested = signal { lookForOutgrowth() }
      _ = subject.tell(signal, number: event.row.seq)
      return nil
    case .completion(let visit, let completion, let fit, _):
      let signal: Signal = completion == .entered ? .entered(visit) : .exited(visit)
      let replayed = subject.tell(signal, number: event.row.seq)
      return replayed == fit ? nil : .stray(visit, completion, recorded: fit)
    }
  }

  /// Compares a recorded output with what the policy decided.
  ///
  /// - Returns: the difference, and whether the output happened in the replay.
  func compare(
    _ output: Output, _ event: RecordedEvent
  ) -> (difference: Divergence.Difference?, happened: Bool) {
    recorded.follow(event)
    var output = output
    if !comparability.hasCauses, let same = subject.outputs.first(where: { $0.isSame(as: output) })
    {
      // The recording does not say in which handling it was made.
      output.cause = same.cause
    }
    if output.kind == .discarded, output.refusal == nil,
      let same = subject.outputs.first(where: { $0.isSame(as: output) })
    {
      output = output.completed(by: same)
    }
    if subject.perform(output) { return (nil, true) }
    let waiting = subject.outputs
    guard let first = waiting.first else { return (.missing(output), false) }
    guard let place = waiting.firstIndex(where: { $0.isSame(as: output) }) else {
      return (.different(recorded: output, replayed: first), false)
    }
    subject.perform(at: place)
    let isNext = place == waiting.startIndex
    return (
      isNext
        ? .init(recorded: output, replayed: first)
        : .reordered(recorded: output, replayed: first), true
    )
  }

  /// Notes that the policy diverges.
  ///
  /// - Returns: whether that is no consequence of an earlier divergence.
  func lose(_ difference: Divergence.Difference) -> Bool { stride.lose(difference) }

  /// After a divergence, both sides agree again once both are idle with the same visit.
  func findStep() {
    guard stride != .inStep, !subject.isAtWork, recorded.isIdle else { return }
    let snapshot = subject.snapshot
    if recorded.isSame(as: snapshot) { stride = .inStep }
    isOutgrown = snapshot.waiting.count > Self.mostWaiting
    if stride == .inStep { askedOutOfStep = 0 }
  }

  /// A snapshot takes longer the more requests wait, so it is not taken at every request.
  private func lookForOutgrowth() {
    askedOutOfStep += 1
    guard askedOutOfStep % Self.mostWaiting == 0 else { return }
    isOutgrown = subject.snapshot.waiting.count >= Self.mostWaiting - 1
  }
}

extension Output {
  /// Whether it is the same decision about the same visit.
  fileprivate func isSame(as other: Output) -> Bool {
    kind == other.kind && visit == other.visit
  }
}

/// The current visit of a controller in the recording, enough to know when it is idle.
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
    case .exited: if visit == current { phase = .exited }
    case .discarded: if visit == current { phase = .exited } else { waiting -= 1 }
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
