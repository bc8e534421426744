#if canImport(UIKit)
  public import Staty
  public import UIKit

  /// A container view controller that presents a list of child view controllers for each state.
  ///
  /// Subclass it with a type of states, usually an enumeration, with or without associated values:
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
  /// Only children that differ between two states are added or removed. Each child gets its
  /// appearance calls in order, without duplicates or gaps, even if the container itself appears or
  /// disappears during a transition. A request that is made during a transition is pending and
  /// replaces an older pending request. See ``ContainerController`` for requests that are made off
  /// screen.
  ///
  /// When you override one of UIKit's own methods, call `super`.
  open class StateViewController<State>: UIViewController {
    let transitions = ContainerController<State, UIViewController>()
    private var host: StateViewHost<State>?
    private var containerView: UIView?
    private var isOnScreen = false

    /// Whether the state of ``loadAppearanceState()`` replaces a request that was made off screen.
    ///
    /// By default, the newest such request is shown when the container appears, because the app made
    /// it last. Return `true` if the state must always be loaded anew.
    open var prefersAppearanceState: Bool { false }

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

    /// Returns the state to show when the container appears.
    ///
    /// You can restore a stored state here. If a state was requested while the container was off
    /// screen, that one is shown and this is not called, unless ``prefersAppearanceState``.
    ///
    /// ``currentState`` calls this too, before there is a state. So ask ``hasDeterminedState`` before
    /// you use it here.
    open func loadAppearanceState() -> State {
      preconditionFailure("\(type(of: self)) does not override `loadAppearanceState()`.")
    }

    /// Returns the children that a state presents, each once, lowest first.
    ///
    /// Children that are already presented stay.
    open func children(for state: State) -> [UIViewController] { [] }

    /// Returns the view that contains the children's views; by default a view that fills the
    /// container's view.
    open func loadChildContainerView() -> UIView {
      let container = UIView(frame: view.bounds)
      container.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      return container
    }

    /// A transition begins; ``currentState`` is still the old state.
    open func willTransition(to state: State, animated: Bool) {}

    /// A transition has ended; ``currentState`` is the new state.
    ///
    /// You can start here what leads to the next state, such as a load.
    ///
    /// - Parameters:
    ///   - previous: the state before; `nil` if this is the first state.
    ///   - animated: whether the transition was animated.
    open func didTransition(from previous: State?, animated: Bool) {}

    /// Called before a child's `viewWillAppear`.
    open func childWillAppear(_ child: UIViewController, animated: Bool) {}
    /// Called after a child's `viewDidAppear`, and before its first `didMove(toParent:)`.
    open func childDidAppear(_ child: UIViewController, animated: Bool) {}
    /// Called before a child's `viewWillDisappear`.
    open func childWillDisappear(_ child: UIViewController, animated: Bool) {}
    /// Called after a child's `viewDidDisappear`.
    open func childDidDisappear(_ child: UIViewController, animated: Bool) {}

    // MARK: UIKit's own

    open override func viewDidLoad() {
      super.viewDidLoad()
      let container = childContainerView
      if container !== view, container.superview == nil { view.addSubview(container) }
    }

    open override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      if prefersAppearanceState, !isOnScreen, pendingState != nil {
        setNeedsStateTransition(to: loadAppearanceState(), animated: animated)
      }
      isOnScreen = true
      transitions.willAppear(animated: animated)
    }

    open override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      transitions.didAppear(animated: animated)
    }

    open override func viewWillDisappear(_ animated: Bool) {
      super.viewWillDisappear(animated)
      isOnScreen = false
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
    /// The state that is shown, or that the current transition leads to.
    ///
    /// Before there is one, it is what ``loadAppearanceState()`` returns.
    public var currentState: State { transitions.currentState ?? loadAppearanceState() }

    /// Whether there is a current state.
    public var hasDeterminedState: Bool { transitions.currentState != nil }

    /// Whether a transition is in progress.
    public var isTransitioningBetweenStates: Bool { transitions.isTransitioning }

    /// The state of the pending request, which waits for the current transition to end or for the
    /// container to appear.
    public var pendingState: State? { transitions.pendingState }

    /// The view that contains the children's views.
    public var childContainerView: UIView {
      // Loading the view calls this property.
      loadViewIfNeeded()
      if let containerView { return containerView }
      let loaded = loadChildContainerView()
      containerView = loaded
      return loaded
    }

    /// Requests a state.
    ///
    /// - Parameters:
    ///   - state: the state to show.
    ///   - animated: whether the transition is animated.
    ///   - file: the file of the call site.
    ///   - line: the line of the call site.
    /// - Returns: the number of the request's visit.
    @discardableResult
    public func setNeedsStateTransition(
      to state: State, animated: Bool, file: StaticString = #fileID, line: UInt = #line
    ) -> VisitNumber {
      transitions.setNeedsTransition(to: state, animated: animated, file: file, line: line)
    }

    /// The topmost child that is not disappearing.
    private var topChild: UIViewController? { host?.topChild }
  }

  extension StateViewController: Recordable {
    /// The source of the controller's events.
    ///
    /// Add observers here.
    public var events: EventSource { transitions.events }
  }
#endif
