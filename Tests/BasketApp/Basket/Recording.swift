public import Staty

/// A middleware that records the actions of a store, and the phases that they lead to.
@MainActor public func recording<Action, Phase, State: Hashable>(
  _ track: StateTrack, _ phase: @escaping () -> Phase, showing state: @escaping () -> State
) -> (_ next: @escaping (Action) -> Void) -> (Action) -> Void {
  { next in
    { action in
      track.received(action) {
        next(action)
        track.moved(to: phase(), showing: state())
      }
    }
  }
}
