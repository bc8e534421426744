import Staty

/// A policy in a replay, driven as the live controller drives it, without states, clock and
/// observers.
final class PolicySubject {
  private let box: PolicyBox
  // Unchecked: used by one replay, and no access lasts while other code runs; a policy, which
  // receives `commands`, is a value and calls nothing outside.
  @exclusivity(unchecked) private var commands = CommandQueue()
  /// Decisions that were compared but not performed; they precede those in `commands`.
  @exclusivity(unchecked) private var pending: ArraySlice<Output> = []

  init(_ policy: some TransitionPolicy) {
    box = TypedPolicyBox(policy)
  }

  /// Tells the policy an input with this recorded number.
  func tell(_ signal: Signal, number: Int64) -> Fit {
    // Tearing a controller down drops the calls to states that are still pending.
    if case .cancelled(.tearDown) = signal {
      commands.dropOrdersToStates()
      pending.removeAll { $0.kind != .discarded }
    }
    let wasAtWork = isAtWork
    commands.cause = UInt64(bitPattern: number)
    let fit = box.receive(signal, &commands)
    if wasAtWork, fit == .fits, case .exited(let visit) = signal { forget(visit) }
    return fit
  }

  /// Drops the pending calls to a visit that has exited.
  private func forget(_ visit: VisitNumber) {
    pending = outputs.filter { $0.visit != visit }[...]
  }

  /// Removes the next pending decision, if it is this one.
  func perform(_ output: Output) -> Bool {
    if pending.isEmpty {
      guard let next = takeCommand() else { return false }
      if next == output { return true }
      pending.append(next)
    } else if pending.first == output {
      pending.removeFirst()
      return true
    }
    return false
  }

  /// All pending decisions, in order.
  var outputs: ArraySlice<Output> {
    while let next = takeCommand() { pending.append(next) }
    return pending
  }

  /// Removes the decision at this place among ``outputs``.
  func perform(at place: Int) {
    pending.remove(at: place)
  }

  /// Drops the pending decisions.
  func dropOutputs() {
    pending = []
    while takeCommand() != nil {}
  }

  private func takeCommand() -> Output? {
    commands.popFirstEntry().map { Output($0.command, cause: Int64(bitPattern: $0.cause)) }
  }

  /// Whether any decision is pending.
  var isAtWork: Bool { !pending.isEmpty || !commands.isEmpty }

  /// The policy itself.
  var policy: any TransitionPolicy { box.policy }

  /// The snapshot of the policy.
  var snapshot: PolicySnapshot { policy.snapshot }
}
