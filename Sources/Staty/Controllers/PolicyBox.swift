/// Holds a driver's policy of any type, so that it can be changed in place.
package class PolicyBox {
  package func receive(_ signal: Signal, _ commands: inout CommandQueue) -> Fit { .stray }
  package var policy: any TransitionPolicy { QueuePolicy() }
}

package final class TypedPolicyBox<Policy: TransitionPolicy>: PolicyBox {
  // Unchecked: used only in the driver's isolation, and a policy is a value that calls no other
  // code.
  @exclusivity(unchecked) private var value: Policy

  package init(_ policy: Policy) {
    value = policy
  }

  package override func receive(_ signal: Signal, _ commands: inout CommandQueue) -> Fit {
    value.receive(signal, &commands)
  }

  package override var policy: any TransitionPolicy { value }
}
