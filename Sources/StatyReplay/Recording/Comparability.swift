import Staty
import StatyHistory

/// What a recording of some fidelity lets a replay compare: kinds, causes, order.
///
/// | fidelity | the controller's decisions | in what each happened | in which order |
/// | --- | --- | --- | --- |
/// | full | `entering`, `exiting`, `discarded` | compared | within what they happened in |
/// | ordered | the same | not recorded | of all that one controller did |
/// | three-kind | `entered`, which says that it let a state in | not recorded | the same |
///
/// This is the one place that says so. Who compares asks for what it needs, and not for a fidelity.
struct Comparability {
  /// Whether it is recorded in whose handling something happened.
  ///
  /// Without it nothing tells whether a decision came too late, nor whether an input was made in what
  /// was in hand or came after it.
  let hasCauses: Bool
  /// Whether it is recorded when a controller told a state to come in or to leave, and when it
  /// discarded a visit; if not, a state's word that it is in stands for its having been let in.
  let hasOrders: Bool

  /// What is told by a recording of this fidelity.
  init(_ fidelity: Fidelity) {
    switch fidelity {
    case .full: (hasCauses, hasOrders) = (true, true)
    case .ordered: (hasCauses, hasOrders) = (false, true)
    case .threeKind: (hasCauses, hasOrders) = (false, false)
    }
  }

  /// Whether events of this kind are what the controller decided, and what is compared.
  func isDecision(_ kind: EventKind) -> Bool {
    kind.side == .output || !hasOrders && kind == .entered
  }
}

extension ControllerRecord {
  /// How much is told of it; what no version has written counts as the least.
  var knownFidelity: Fidelity { Fidelity(rawValue: fidelity) ?? .threeKind }

  /// What of it can be compared.
  var comparability: Comparability { Comparability(knownFidelity) }
}
