/// The container view controller that a ``ContainerController`` works on.
///
/// You can make requests and appearance calls from inside these functions. A request becomes the
/// pending request; an appearance call is handled after the current step.
public protocol ContainerHost<State, Child>: AnyObject {
  /// The type of the container's states: an enumeration, with or without associated values.
  associatedtype State
  /// The type of the children, such as a view controller. Children are compared with `==`.
  associatedtype Child: Hashable

  /// Returns the state to show when the container appears.
  func loadAppearanceState() -> State

  /// Returns the children that a state presents, each once, lowest first.
  ///
  /// Children that are already presented stay.
  func children(for state: State) -> [Child]

  /// Adds a child at an index among all present children, which include those that are
  /// disappearing.
  func add(_ child: Child, at index: Int)

  /// Moves a present child to another index, counted without the child itself.
  func move(_ child: Child, to index: Int)

  /// A child is about to be removed. If it is visible, it disappears first.
  func willRemove(_ child: Child)

  /// Removes a child.
  func remove(_ child: Child)

  /// A child begins to appear.
  func childWillAppear(_ child: Child, animated: Bool)
  /// A child has appeared.
  func childDidAppear(_ child: Child, animated: Bool)
  /// A child begins to disappear.
  func childWillDisappear(_ child: Child, animated: Bool)
  /// A child has disappeared.
  func childDidDisappear(_ child: Child, animated: Bool)

  /// A transition begins; `currentState` is still the old state.
  func willTransition(to state: State, animated: Bool)

  /// A transition has ended; `currentState` is the new state.
  ///
  /// You can request the next state here. It replaces a pending request.
  ///
  /// - Parameters:
  ///   - previous: the state before; `nil` if this is the first state.
  ///   - animated: whether the transition was animated.
  func didTransition(from previous: State?, animated: Bool)

  /// Animates children that appear and disappear.
  ///
  /// - Parameters:
  ///   - appearing: the children that were not there before.
  ///   - disappearing: the visible children that will be removed.
  ///   - completion: call this when the animation has ended or was interrupted, with whether it
  ///     finished. The transition ends in both cases. Further calls do nothing.
  /// - Returns: an animation that can be finished early, if that is possible.
  func animate(
    appearing: [Child], disappearing: [Child],
    completion: @escaping (_ finished: Bool) -> Void
  ) -> (any ContainerAnimation)?
}

extension ContainerHost {
  public func willRemove(_ child: Child) {}
  public func childWillAppear(_ child: Child, animated: Bool) {}
  public func childDidAppear(_ child: Child, animated: Bool) {}
  public func childWillDisappear(_ child: Child, animated: Bool) {}
  public func childDidDisappear(_ child: Child, animated: Bool) {}
  public func willTransition(to state: State, animated: Bool) {}
  public func didTransition(from previous: State?, animated: Bool) {}
}

/// An animation between two states of a container.
public protocol ContainerAnimation: AnyObject {
  /// Moves everything to its final position now, because the container disappears.
  ///
  /// The transition ends, even if the animation's completion is not called.
  func finishEarly()
}
