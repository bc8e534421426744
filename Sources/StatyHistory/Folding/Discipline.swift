/// In which order a controller lets its visits enter.
package enum Discipline: Sendable {
  /// One at a time, in the order of the requests; others are discarded.
  case inOrder
  /// One at a time, the most urgent first.
  case byUrgency
  /// All at once.
  case atOnce

  /// The discipline of the policy with this name; an app's own shows one at a time in order.
  package init(policy: String) {
    switch policy {
    case "priority": self = .byUrgency
    // What is not known is judged as what says least.
    case "immediate", HistorySalvage.unverifiedPolicy: self = .atOnce
    default: self = .inOrder
    }
  }
}
