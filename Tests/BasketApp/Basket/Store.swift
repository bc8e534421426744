/// Work that a reducer leaves to its store, and that may send actions later.
public typealias Effect<Action> =
  @MainActor (_ send: @escaping @MainActor (Action) -> Void) async -> Void

/// Changes a state by actions.
@MainActor public protocol Reducer<State, Action> {
  associatedtype State
  associatedtype Action

  func reduce(_ state: inout State, _ action: Action) -> Effect<Action>?
}

/// Keeps a state, and runs the effects of its reducer.
@MainActor public final class Store<State, Action> {
  public private(set) var state: State
  private let reducer: any Reducer<State, Action>

  public init(_ state: State, _ reducer: some Reducer<State, Action>) {
    self.state = state
    self.reducer = reducer
  }

  public func send(_ action: Action) {
    guard let effect = reducer.reduce(&state, action) else { return }
    Task { await effect { self.send($0) } }
  }
}
