/// Where somebody wants to go, along declared routes.
public enum RouteDestination<Key: StateKey>: Hashable, Sendable {
  /// This state.
  case state(Key)
  /// Whatever the routes say `previous` means in the state that this request would follow.
  case previous
  /// Whatever the routes say `next` means there.
  case next
}

extension RouteDestination {
  /// The state, if it is asked for itself.
  var key: Key? {
    if case .state(let key) = self { key } else { nil }
  }

  /// What is asked for in its place.
  var asked: StateName? {
    switch self {
    case .state: nil
    case .previous: "previous"
    case .next: "next"
    }
  }
}
