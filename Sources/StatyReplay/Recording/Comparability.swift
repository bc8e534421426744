import Staty
import StatyHistory

/// What a recording of some fidelity lets a replay compare: kinds, causes, order.
///
/// | fidelity | the controller's decisions | where each happened | in which order |
/// | --- | --- | --- | --- |
/// | full | `entering`, `exiting`, `discarded` | compared | within their call |
/// | ordered | the same | not recorded | of everything that one controller did |
/// | three-kind | `entered`, which says that it let a state enter | not recorded | the same |
///
/// This is the only place that decides it. Callers ask for what they need, not for a fidelity.
struct Comparability {
  /// Whether the recording says in which handling an event happened.
  ///
  /// Without it, nothing shows whether a decision came too late, or whether an input was made
  /// inside the current handling or after it.
  let hasCauses: Bool
  /// Whether the recording holds `entering`, `exiting` and `discarded`; if not, `entered` stands
  /// for the decision to let a state enter.
  let hasOrders: Bool

  /// What a recording of this fidelity lets a replay compare.
  init(_ fidelity: Fidelity) {
    switch fidelity {
    case .full: (hasCauses, hasOrders) = (true, true)
    case .ordered: (hasCauses, hasOrders) = (false, true)
    case .threeKind: (hasCauses, hasOrders) = (false, false)
    }
  }

  /// Whether events of this kind are decisions of the controller, which are compared.
  func isDecision(_ kind: EventKind) -> Bool {
    kind.side == .output || !hasOrders && kind == .entered
  }
}

extension ControllerRecord {
  /// The recorded fidelity; an unknown value counts as the least.
  var knownFidelity: Fidelity { Fidelity(rawValue: fidelity) ?? .threeKind }

  /// What of the controller can be compared.
  var comparability: Comparability { Comparability(knownFidelity) }
}
