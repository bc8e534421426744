public import Staty

/// Records the actions of a reducer, and the phases that they lead to.
public struct Recorded<Base: Reducer, Phase>: Reducer where Base.State: Hashable {
  private let base: Base
  private let track: StateTrack
  private let phase: (Base.State) -> Phase

  public init(_ base: Base, _ track: StateTrack, _ phase: @escaping (Base.State) -> Phase) {
    (self.base, self.track, self.phase) = (base, track, phase)
  }

  public func reduce(_ state: inout Base.State, _ action: Base.Action) -> Effect<Base.Action>? {
    track.received(action) { () -> Effect<Base.Action>? in
      let before = state
      let effect = base.reduce(&state, action)
      // An action that changes nothing and starts nothing was ignored.
      if effect != nil || state != before { track.moved(to: phase(state), showing: state) }
      guard let effect else { return nil }
      // The store runs the effect later. What it sends then answers this action.
      let question = MessageOrigin.current
      return { send in
        await MessageOrigin.$current.withValue(question) { await effect(send) }
      }
    }
  }
}
