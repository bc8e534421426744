/// Holds a driver's policy where it can be changed in place, whatever its type.
class PolicyBox {
  func receive(_ signal: Signal, _ commands: inout CommandQueue) -> Fit { .stray }
  var policy: any TransitionPolicy { QueuePolicy() }
}

final class TypedPolicyBox<Policy: TransitionPolicy>: PolicyBox {
  // Unchecked: used in the driver's isolation only, and a policy is a value that calls nobody.
  @exclusivity(unchecked) private var value: Policy

  init(_ policy: Policy) {
    value = policy
  }

  override func receive(_ signal: Signal, _ commands: inout CommandQueue) -> Fit {
    value.receive(signal, &commands)
  }

  override var policy: any TransitionPolicy { value }
}
