/// Why a controller will not show a state, or no longer waits for it.
public enum DiscardReason: Hashable, Sendable {
  /// The request was not allowed.
  case rejected(Refusal)
  /// A newer request took its place.
  case replaced
  /// The request before it asks for the same.
  case coalesced
  /// Somebody cancelled it.
  case cancelled
  /// It took longer than it was given.
  case timedOut
  /// The controller, or what it shows its states on, has gone.
  case tornDown
}

/// Why a request was not allowed.
public enum Refusal: Hashable, Sendable {
  /// The controller is busy with another move, and its policy lets nobody wait.
  case busy
  /// No route leads to the state from this one; `nil` stands for the beginning, when nothing
  /// has been shown.
  case noRoute(from: StateName?)
  /// A route leads there, but its guard said no.
  case guarded(from: StateName?, guard: StateName)
  /// A route leads there, but what was handed over is not what it needs.
  case context(from: StateName?, needs: StateName)
  /// The driver found that it may not be carried out, whatever the policy.
  case objection(Objection)
}

extension Refusal {
  /// What is the matter with a request for this state and, where there is one, the mend.
  public func description(for state: StateName) -> String {
    switch self {
    case .busy:
      "another move is under way and the policy lets nobody wait"
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

/// How much is cancelled.
public enum Cancellation: Hashable, Sendable {
  /// One visit: discarded while it waits, told to leave when it is in.
  case visit(VisitNumber)
  /// Every open visit, each as if it were cancelled alone.
  case all
  /// The controller itself: everything is discarded and nothing is waited for any more.
  case tearDown
}

/// What a controller does about a state that takes too long.
public enum DeadlineRecovery: UInt8, Hashable, Sendable {
  /// Says so and goes on waiting.
  case report = 1
  /// Goes on as if the completion had come.
  case force
  /// Gives the visit up and goes on with the next. A state that is still coming in is told to
  /// leave, and nobody waits until it has.
  case skip
}
