/// Switches a container between states.
///
/// Each state presents a list of children.
///
/// This is the logic of a container view controller without the views. It decides what happens
/// when, and a ``ContainerHost`` does it. Only children that differ between two states are added or
/// removed. Each child gets its appearance calls in order, without duplicates or gaps, even if the
/// container itself appears or disappears during a transition.
///
/// During a transition, only the newest request is pending. An older pending request is discarded
/// as `replaced`.
///
/// When the container appears, it shows the state that ``ContainerHost/loadAppearanceState()``
/// returns, animated if the container itself appears animated. If requests were made while it was
/// off screen, it shows the newest of these instead and does not call `loadAppearanceState()`. The
/// container is off screen before its first appearance, and from `willDisappear` to `willAppear`.
public final class ContainerController<State, Child: Hashable>: Recordable {
  private let driver: TransitionDriver
  private let stage = ContainerStage<State, Child>()
  private let name: (State) -> StateName

  /// Creates a controller.
  ///
  /// Call ``bind(to:)`` before the container appears.
  ///
  /// - Parameter name: returns the name of a state in recordings. By default, this is the name of
  ///   the enumeration's case without its values, or the name of the type if it is not an
  ///   enumeration.
  public init(name: @escaping (State) -> StateName = { StateName(ofCase: $0) }) {
    self.name = name
    driver = TransitionDriver(policy: LatestPolicy().withholding, performer: stage, isolation: nil)
    stage.driver = driver
  }

  /// Creates a controller for states that have names of their own.
  public convenience init() where State: StateKey {
    self.init(name: \.stateName)
  }

  deinit {
    driver.cancel(.tearDown)
  }

  /// The source of the controller's events.
  ///
  /// Add observers here.
  public var events: EventSource { driver.events }

  /// Sets the host.
  ///
  /// Call this once, before the container appears.
  ///
  /// The controller holds the host weakly.
  public func bind(to host: any ContainerHost<State, Child>) {
    assert(
      stage.host == nil, "A container controller has one host. Make another for another container.")
    stage.host = host
  }
}

// MARK: States

extension ContainerController {
  /// The state that is shown, or that the current transition leads to.
  ///
  /// `nil` before the first.
  public var currentState: State? { stage.current }

  /// Whether a transition is in progress.
  public var isTransitioning: Bool { stage.move != nil }

  /// The state of the pending request, which waits for the current transition to end or for the
  /// container to appear.
  public var pendingState: State? {
    driver.policy.snapshot.waiting.first
      .flatMap { driver.openSlot(of: $0.visit) }
      .flatMap(stage.place)?.state
  }

  /// The children that are present, lowest first.
  ///
  /// Children that are disappearing are included.
  public var children: [Child] { stage.children.all }

  /// Requests a state.
  ///
  /// On screen, the state is shown now or after the current transition. Off screen, it is shown
  /// when the container appears next, unless a newer request is made. A request that is pending
  /// when the container begins to disappear is discarded as `cancelled`.
  ///
  /// - Parameters:
  ///   - state: the state to show.
  ///   - animated: whether the transition is animated. While the container appears, the transition
  ///     is animated only if the container appears animated too.
  ///   - file: the file of the call site.
  ///   - line: the line of the call site.
  /// - Returns: the number of the request's visit.
  @discardableResult
  public func setNeedsTransition(
    to state: State, animated: Bool,
    file: StaticString = #fileID, line: UInt = #line
  ) -> VisitNumber {
    stage.step {
      request(state, animated: animated, RequestSite(file: file, line: line))
    }
  }

  private func request(_ state: State, animated: Bool, _ site: RequestSite) -> VisitNumber {
    let parts = TransitionDriver.RequestParts(state: name(state), site: site)
    let slot = driver.open(parts)
    stage.keep(.init(state: state, animated: animated), in: slot)
    return driver.request(parts, in: slot)
  }
}

// MARK: The container's own appearance

extension ContainerController {
  /// Call this when the container begins to appear.
  public func willAppear(
    animated: Bool, file: StaticString = #fileID, line: UInt = #line
  ) {
    assert(stage.host != nil, "The container appears without a host. Call `bind(to:)` before.")
    stage.laterStep { [self] in
      stage.willAppear(animated: animated) {
        guard let state = stage.host?.loadAppearanceState() else { return }
        _ = request(state, animated: animated, RequestSite(file: file, line: line))
      }
    }
  }

  /// Call this when the container has appeared.
  public func didAppear(animated: Bool) {
    stage.laterStep { [stage] in stage.didAppear(animated: animated) }
  }

  /// Call this when the container begins to disappear.
  ///
  /// This ends the current transition: children that were appearing have appeared, and children
  /// that were disappearing are removed.
  public func willDisappear(animated: Bool) {
    stage.laterStep { [stage] in stage.willDisappear(animated: animated) }
  }

  /// Call this when the container has disappeared.
  public func didDisappear(animated: Bool) {
    stage.laterStep { [stage] in stage.didDisappear(animated: animated) }
  }
}
