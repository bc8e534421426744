#if canImport(UIKit)
  public import Staty
  public import UIKit

  /// A container that presents some child view controllers for each of its states.
  ///
  /// Subclass it with a type of states, an enumeration mostly, with or without model data:
  ///
  /// ```swift
  /// final class CommentsViewController: StateViewController<CommentsState> {
  ///   override func loadAppearanceState() -> CommentsState { .loading }
  ///
  ///   override func children(for state: CommentsState) -> [UIViewController] {
  ///     switch state {
  ///     case .loading: [spinner]
  ///     case .list: [list]
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// Only children that differ between two states are added or removed. Each gets its appearance calls in
  /// order, none doubled and none missing, also when the container itself appears or disappears meanwhile. A
  /// request made during a transition waits and replaces an older pending one. ``ContainerController`` says
  /// what happens off screen.
  ///
  /// When you override one of UIKit's own methods, call `super`.
  open class StateViewController<State>: UIViewController {
    let transitions = ContainerController<State, UIViewController>()
    private var host: StateViewHost<State>?
    private var containerView: UIView?

    public override init(nibName: String?, bundle: Bundle?) {
      super.init(nibName: nibName, bundle: bundle)
      begin()
    }

    public required init?(coder: NSCoder) {
      super.init(coder: coder)
      begin()
    }

    private func begin() {
      let host = StateViewHost(self)
      self.host = host
      transitions.bind(to: host)
    }

    // MARK: To be overridden

    /// The state to show as the container appears; must answer at once.
    ///
    /// A good place to look into what was stored. Not asked if a state was asked for while the
    /// container was off screen.
    open func loadAppearanceState() -> State {
      preconditionFailure("\(type(of: self)) does not override `loadAppearanceState()`.")
    }

    /// The children that a state presents, each once, lowest first.
    ///
    /// Children that are presented already, and are named again, stay as they are.
    open func children(for state: State) -> [UIViewController] { [] }

    /// The view that the children are laid out in, edge to edge; fills the container's by default.
    open func loadChildContainerView() -> UIView {
      let container = UIView(frame: view.bounds)
      container.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      return container
    }

    /// A transition begins; ``currentState`` still is the old one.
    open func willTransition(to state: State, animated: Bool) {}

    /// A transition is over; ``currentState`` is the new one.
    ///
    /// A good place to set off what leads to the next.
    ///
    /// - Parameter previous: the state before; `nil` if this is the first.
    open func didTransition(from previous: State?, animated: Bool) {}

    /// A child is about to be told that it begins to appear.
    open func childWillAppear(_ child: UIViewController, animated: Bool) {}
    /// A child was told that it has appeared.
    open func childDidAppear(_ child: UIViewController, animated: Bool) {}
    /// A child is about to be told that it begins to disappear.
    open func childWillDisappear(_ child: UIViewController, animated: Bool) {}
    /// A child was told that it has disappeared.
    open func childDidDisappear(_ child: UIViewController, animated: Bool) {}

    // MARK: UIKit's own

    open override func viewDidLoad() {
      super.viewDidLoad()
      let container = childContainerView
      if container !== view, container.superview == nil { view.addSubview(container) }
    }

    open override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      transitions.willAppear(animated: animated)
    }

    open override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      transitions.didAppear(animated: animated)
    }

    open override func viewWillDisappear(_ animated: Bool) {
      super.viewWillDisappear(animated)
      transitions.willDisappear(animated: animated)
    }

    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      transitions.didDisappear(animated: animated)
    }

    public final override var shouldAutomaticallyForwardAppearanceMethods: Bool { false }
    open override var childForStatusBarStyle: UIViewController? { topChild }
    open override var childForStatusBarHidden: UIViewController? { topChild }
    open override var childForHomeIndicatorAutoHidden: UIViewController? { topChild }
    open override var childForScreenEdgesDeferringSystemGestures: UIViewController? { topChild }
  }

  // MARK: States

  extension StateViewController {
    /// The state that is shown, or that the transition under way leads to.
    ///
    /// Not to be asked before there is one: see ``hasDeterminedState``.
    public var currentState: State {
      guard let state = transitions.currentState else {
        preconditionFailure(
          "\(type(of: self)) has no state before it first appears. Ask `hasDeterminedState` before."
        )
      }
      return state
    }

    /// Whether there is a current state.
    public var hasDeterminedState: Bool { transitions.currentState != nil }

    /// Whether a transition is under way.
    public var isTransitioningBetweenStates: Bool { transitions.isTransitioning }

    /// The state that waits for the transition under way, or for the container to appear.
    public var pendingState: State? { transitions.pendingState }

    /// The view that the children are laid out in.
    public var childContainerView: UIView {
      // Loading the view asks for this one.
      loadViewIfNeeded()
      if let containerView { return containerView }
      let loaded = loadChildContainerView()
      containerView = loaded
      return loaded
    }

    /// Asks for a state.
    ///
    /// - Parameter animated: whether children come and go animated.
    /// - Returns: the number of the visit that the request has become.
    @discardableResult
    public func setNeedsStateTransition(
      to state: State, animated: Bool, file: StaticString = #fileID, line: UInt = #line
    ) -> VisitNumber {
      transitions.setNeedsTransition(to: state, animated: animated, file: file, line: line)
    }

    /// The topmost of the children that stay.
    private var topChild: UIViewController? { host?.topChild }
  }

  extension StateViewController: Recordable {
    /// Where observers are told what happens here.
    public var events: EventSource { transitions.events }
  }
#endif
