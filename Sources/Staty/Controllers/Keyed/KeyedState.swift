/// A state that is stored under a key, and enters and exits in an update block.
///
/// For a table: the state inserts its rows when it enters, deletes them when it exits, and is the
/// table's data source and delegate in between.
///
/// ```swift
/// final class LoadingState: KeyedState {
///   func enter(with data: [Comment]?, visit: KeyedVisit<CommentsKey, [Comment]>) {
///     insertSpinnerRow()
///     load { comments in visit.transition(to: comments.isEmpty ? .empty : .populated, with: comments) }
///   }
///
///   func exit() {
///     deleteSpinnerRow()
///   }
/// }
/// ```
///
/// The state has entered or exited when the function returns, even if animations continue. If
/// another state was requested before the load above has ended, the request after the load is
/// rejected.
public protocol KeyedState<Key, Data>: AnyObject {
  /// The type of the keys.
  associatedtype Key: StateKey
  /// The type of the data that a state gets when it enters.
  associatedtype Data

  /// The state was stored under a key of a controller.
  ///
  /// The controller holds its states strongly, so a state must hold its controller weakly. The
  /// default does nothing, because ``KeyedVisit`` also leads to the controller.
  func join(_ controller: KeyedController<Key, Data>, forKey key: Key)

  /// Shows the state, inside the update block of the transition.
  ///
  /// - Parameters:
  ///   - data: the data of the request, if there is any.
  ///   - visit: the visit that begins now. Use it to request the next state, now or later.
  func enter(with data: Data?, visit: KeyedVisit<Key, Data>)

  /// Removes the state, inside the update block of the transition.
  ///
  /// Called once for each `enter`, after it.
  func exit()
}

extension KeyedState {
  public func join(_ controller: KeyedController<Key, Data>, forKey key: Key) {}
}

/// The view that keyed states are shown on, such as a table view.
///
/// A transition is one update block: `beginUpdates`, the current state exits, `adopt`, the new
/// state enters, `endUpdates`. Blocks never nest: a request that is made inside a block is carried
/// out in a block of its own.
public protocol KeyedHost: AnyObject {
  /// A transition begins.
  func beginUpdates()

  /// Makes a state the current one, for example as data source and delegate.
  ///
  /// - Parameter state: the state that enters next; `nil` if the current state has exited and no
  ///   other follows. This happens only after a cancellation.
  func adopt(_ state: (any KeyedState)?)

  /// The transition has ended.
  func endUpdates()
}
