import Staty

/// A policy that is replayed: driven as the live controller drives it, without states, clock and
/// observers around it.
final class PolicySubject {
  private let box: PolicyBox
  // Unchecked: used by one replay, and no access lasts while other code runs; a policy, which is
  // handed `commands`, is a value that calls nobody.
  @exclusivity(unchecked) private var commands = CommandQueue()
  /// Decisions that were looked at and not performed; they come before those in `commands`.
  @exclusivity(unchecked) private var pending: [Output] = []

  init(_ policy: some TransitionPolicy) {
    box = TypedPolicyBox(policy)
  }

  /// Takes in an input that was recorded under this number.
  func tell(_ signal: Signal, number: Int64) -> Fit {
    // Whoever tears a controller down drops what states were still to be told.
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

  /// Nobody tells a visit anything that has left in the meantime.
  private func forget(_ visit: VisitNumber) {
    pending = outputs.filter { $0.visit != visit }
  }

  /// Takes the next decision off that is to be performed, if it is this one.
  func perform(_ output: Output) -> Bool {
    if pending.isEmpty {
      guard let next = takeCommand() else { return false }
      if next == output { return true }
      pending.append(next)
    } else if pending[0] == output {
      pending.removeFirst()
      return true
    }
    return false
  }

  /// All decisions that wait to be performed, in order.
  var outputs: [Output] {
    while let next = takeCommand() { pending.append(next) }
    return pending
  }

  /// Takes off the decision at this place among ``outputs``.
  func perform(at place: Int) {
    pending.remove(at: place)
  }

  /// Gives up what waits to be performed.
  func dropOutputs() {
    pending = []
    while takeCommand() != nil {}
  }

  private func takeCommand() -> Output? {
    commands.popFirstEntry().map { Output($0.command, cause: Int64(bitPattern: $0.cause)) }
  }

  /// Whether a decision waits to be performed.
  var isAtWork: Bool { !pending.isEmpty || !commands.isEmpty }

  /// The policy itself.
  var policy: any TransitionPolicy { box.policy }

  /// Where the policy stands.
  var snapshot: PolicySnapshot { policy.snapshot }
}
