/// Records the values of one variable, such as the state of a screen.
///
/// ```swift
/// final class FeedModel {
///   private let track = StateTrack("feed")
///   private(set) var state = FeedState.idle {
///     didSet { track.moved(to: state) }
///   }
/// }
/// ```
///
/// A move ends one visit and begins the next. As in `StateName(ofCase:)`, only the name of the case is
/// recorded: neither its values nor anything that they say of themselves. A move to a state of the same
/// name is recorded, too, and is no new visit.
public final class StateTrack: Track {
  /// A track whose first value is not known before it moves.
  ///
  /// - Parameter name: what it is called in the history.
  public convenience init(_ name: StateName) {
    self.init(name, initial: nil, routes: nil)
  }

  /// A track that shows a value from the beginning.
  public convenience init<Value>(_ name: StateName, _ initial: Value) {
    self.init(name, initial: StateName(ofCase: initial), routes: nil)
  }

  /// A track of which the moves are declared; `staty check` finds those that are not.
  public convenience init<Key: StateKey>(
    _ name: StateName, _ initial: Key? = nil, routes: Routes<Key>
  ) {
    self.init(name, initial: initial?.stateName, routes: routes.table)
  }

  private init(_ name: StateName, initial: StateName?, routes: RouteTable?) {
    super.init(name, kind: "moves", initial: initial, routes: routes)
  }

  /// The value has changed to this one.
  @inlinable
  public func moved<Value>(to value: Value) {
    if isRecorded { move(to: StateName(ofCase: value)) } else { hasMissed = true }
  }

  @usableFromInline
  func move(to state: StateName) {
    guard begin() else { return }
    if let current = standing.last, current.state == state {
      return probe.moved(current.visit, state)
    }
    _ = removeLast()
    probe.moved(add(state).visit, state)
  }
}
