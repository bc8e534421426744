import Staty

/// The policies that this package brings, by the names under which they are recorded.
enum BuiltInPolicies {
  static let names = ["queue", "latest", "immediate", "reject", "priority", "coalesce"]

  /// A policy of this name that goes on where the snapshot was taken; none if there is no such.
  static func subject(named name: String, restoring snapshot: PolicySnapshot) -> PolicySubject? {
    switch name {
    case "queue": subject(QueuePolicy.self, snapshot)
    case "latest": subject(LatestPolicy.self, snapshot)
    case "immediate": subject(ImmediatePolicy.self, snapshot)
    case "reject": subject(RejectPolicy.self, snapshot)
    case "priority": subject(PriorityPolicy.self, snapshot)
    case "coalesce": subject(CoalescePolicy.self, snapshot)
    default: nil
    }
  }

  private static func subject<Policy: TransitionPolicy>(
    _: Policy.Type, _ snapshot: PolicySnapshot
  ) -> PolicySubject {
    if snapshot.routes != nil {
      PolicySubject(RoutedPolicy<Policy>(restoring: snapshot))
    } else {
      PolicySubject(Policy(restoring: snapshot))
    }
  }
}
