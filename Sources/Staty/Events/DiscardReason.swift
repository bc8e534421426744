/// Why a controller discarded a visit.
public enum DiscardReason: Hashable, Sendable {
  /// The request was not allowed.
  case rejected(Refusal)
  /// A newer request replaced it.
  case replaced
  /// The request before it is for the same state.
  case coalesced
  /// It was cancelled.
  case cancelled
  /// It exceeded its time limit.
  case timedOut
  /// The controller or its target was released, or the controller was torn down.
  case tornDown
}

/// Why a request was rejected.
public enum Refusal: Hashable, Sendable {
  /// Another transition is in progress, and the policy allows no pending requests.
  case busy
  /// No route leads to the state from this one. `nil` means the beginning, before any state was
  /// shown.
  case noRoute(from: StateName?)
  /// A route leads there, but its guard returned `false`.
  case guarded(from: StateName?, guard: StateName)
  /// A route leads there, but the request's context does not have the type that it needs.
  case context(from: StateName?, needs: StateName)
  /// The controller found a reason against it, whatever the policy.
  case objection(Objection)
}

extension Refusal {
  /// Describes why a request for a state was rejected and, where possible, how to fix that.
  public func description(for state: StateName) -> String {
    switch self {
    case .busy:
      "another transition is under way, and the policy has no pending requests"
    case .noRoute(let from):
      "no route leads from \(name(from)) to \(state)"
    case .guarded(let from, let guarding):
      "the route from \(name(from)) to \(state) is closed: not \(guarding)"
    case .context(let from, let needs):
      "the route from \(name(from)) to \(state) needs a value of type \(needs)"
    case .objection(.unknownState):
      "the controller knows no state called \(state)"
    case .objection(.staleOrigin):
      "the state that asked has left in the meantime"
    case .objection(.inUseElsewhere):
      "the state object is in use by another controller; give each controller its own"
    }
  }

  private func name(_ state: StateName?) -> String {
    state.map(\.description) ?? "the beginning"
  }
}

/// What is cancelled.
public enum Cancellation: Hashable, Sendable {
  /// One visit. It is discarded if it is pending, and told to exit if it has entered.
  case visit(VisitNumber)
  /// Every open visit.
  case all
  /// The controller itself. All visits are discarded, and no completion is awaited any more.
  case tearDown
}

/// What a controller does when a state exceeds its time limit.
public enum DeadlineRecovery: UInt8, Hashable, Sendable {
  /// It reports the deadline and continues to wait.
  case report = 1
  /// It continues as if the state had completed.
  case force
  /// It discards the visit and continues with the next. A state that is still entering is told to
  /// exit, and its exit is not awaited.
  case skip
}
