/// The container view controller, as its transition logic sees it.
///
/// What is asked of a host from inside one of these functions is done after the step in hand:
/// requests go to the slot, appearance calls wait until the step is over.
public protocol ContainerHost<State, Child>: AnyObject {
  /// A condition of the container: an enumeration, with or without model data.
  associatedtype State
  /// What is shown in it: a view controller. Told apart by equality.
  associatedtype Child: Hashable

  /// The state to show as the container appears; must answer at once.
  func loadAppearanceState() -> State

  /// The children that a state presents, each once, lowest first.
  ///
  /// Children that are presented already and are named again stay as they are.
  func children(for state: State) -> [Child]

  /// Takes a child in, at this place among all that are present, those on their way out included.
  func add(_ child: Child, at index: Int)

  /// Puts a child that is present at another place, counted after it has been taken out.
  func move(_ child: Child, to index: Int)

  /// A child is about to go: once it has disappeared, if it can be seen, it is taken out.
  func willRemove(_ child: Child)

  /// Takes a child out.
  func remove(_ child: Child)

  /// A child begins to appear.
  func childWillAppear(_ child: Child, animated: Bool)
  /// A child has appeared.
  func childDidAppear(_ child: Child, animated: Bool)
  /// A child begins to disappear.
  func childWillDisappear(_ child: Child, animated: Bool)
  /// A child has disappeared.
  func childDidDisappear(_ child: Child, animated: Bool)

  /// A transition begins; `currentState` still is the old one.
  func willTransition(to state: State, animated: Bool)

  /// A transition is over; `currentState` is the new one.
  ///
  /// A good place to ask for the next, which takes the slot from one that waits.
  ///
  /// - Parameter previous: the state before; `nil` if this is the first.
  func didTransition(from previous: State?, animated: Bool)

  /// Shows children coming and going, and says when that is over.
  ///
  /// - Parameters:
  ///   - completion: to be called at the end, or when the animation was interrupted, with whether
  ///     it reached its end. The transition is over in either case. Calling it again does nothing.
  /// - Returns: a way to finish early, if there is one.
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
  /// Brings everything to its end position now: the container is going away.
  ///
  /// The transition is over whether the animation's completion is called or not.
  func finishEarly()
}
