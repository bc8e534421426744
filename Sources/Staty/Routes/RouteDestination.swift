/// The destination of a request along declared routes.
public enum RouteDestination<Key: StateKey>: Hashable, Sendable {
  /// A state.
  case state(Key)
  /// The state that the routes declare as `previous`, for the state that the request would follow.
  case previous
  /// The state that the routes declare as `next`, for the state that the request would follow.
  case next
}

extension RouteDestination {
  /// The state, if the destination is not a contextual one.
  var key: Key? {
    if case .state(let key) = self { key } else { nil }
  }

  /// The name of a contextual destination.
  var asked: StateName? {
    switch self {
    case .state: nil
    case .previous: "previous"
    case .next: "next"
    }
  }
}
