/// A state that is kept under a key and comes in and leaves within an update block.
///
/// For a table: the state inserts its rows when it comes in, deletes them when it leaves, and is
/// the table's data source and delegate in between.
///
/// ```swift
/// final class LoadingState: KeyedState {
///   func enter(with data: [Comment]?, visit: KeyedVisit<CommentsKey, [Comment]>) {
///     insertSpinnerRow()
///     load { comments in visit.transition(to: comments.isEmpty ? .empty : .populated, with: comments) }
///   }
///
///   func leave() {
///     deleteSpinnerRow()
///   }
/// }
/// ```
///
/// Both functions are done when they return; what they animate goes on by itself. If another
/// state was asked for before the load above ended, the request that it makes is rejected.
public protocol KeyedState<Key, Data>: AnyObject {
  /// What tells the states of one controller apart.
  associatedtype Key: StateKey
  /// What is handed to a state that comes in.
  associatedtype Data

  /// The state has been put under a key of this controller.
  ///
  /// The controller keeps its states; a state that keeps its controller in turn must do so
  /// weakly. By default nothing is done, because ``KeyedVisit`` leads to the controller as well.
  func join(_ controller: KeyedController<Key, Data>, forKey key: Key)

  /// Comes in, inside the update block of the move.
  ///
  /// - Parameters:
  ///   - data: what was handed over with the request, if anything was.
  ///   - visit: this coming in, through which the state asks for the next one, now or later.
  func enter(with data: Data?, visit: KeyedVisit<Key, Data>)

  /// Leaves, inside the update block of the move.
  ///
  /// Called only after `enter`, once each time.
  func leave()
}

extension KeyedState {
  public func join(_ controller: KeyedController<Key, Data>, forKey key: Key) {}
}

/// What keyed states are shown on: a table view, mostly.
///
/// One move is one update block: `beginUpdates`, the current state leaves, `adopt`, the new state
/// comes in, `endUpdates`. Blocks never nest: what is asked for inside one is done in the next.
public protocol KeyedHost: AnyObject {
  /// A move begins.
  func beginUpdates()

  /// The state is the one in place from now on, say as data source and delegate.
  ///
  /// - Parameter state: the state that is about to come in; `nil` if the current one has left and
  ///   nobody follows, which only a cancellation brings about.
  func adopt(_ state: (any KeyedState)?)

  /// The move is over.
  func endUpdates()
}
