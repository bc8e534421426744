/// Holds a driver's policy where it can be changed in place, whatever its type.
package class PolicyBox {
  package func receive(_ signal: Signal, _ commands: inout CommandQueue) -> Fit { .stray }
  package var policy: any TransitionPolicy { QueuePolicy() }
}

package final class TypedPolicyBox<Policy: TransitionPolicy>: PolicyBox {
  // Unchecked: used in the driver's isolation only, and a policy is a value that calls nobody.
  @exclusivity(unchecked) private var value: Policy

  package init(_ policy: Policy) {
    value = policy
  }

  package override func receive(_ signal: Signal, _ commands: inout CommandQueue) -> Fit {
    value.receive(signal, &commands)
  }

  package override var policy: any TransitionPolicy { value }
}
