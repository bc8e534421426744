/// Moves a container between states, each of which presents some children.
///
/// It is the logic of a container view controller without the views: it decides when, and a
/// ``ContainerHost`` does it. Only children that differ between two states are added and removed,
/// and each child is told of its appearance in order, nothing doubled and nothing left out, also
/// when the container itself appears or disappears in the middle of a transition.
///
/// While one transition is under way the newest request waits; an older one that waited is
/// discarded as replaced.
///
/// On appearing, the container shows what ``ContainerHost/loadAppearanceState()`` answers, at once
/// or animated as the container itself. Requests made while it is off screen are not lost: the
/// newest of them is what it shows on appearing next, and then `loadAppearanceState()` is not
/// asked, because whoever made the request knew better and later. Off screen is from
/// `willDisappear` to `willAppear`, and before the first appearance.
public final class ContainerController<State, Child: Hashable>: Recordable {
  private let driver: TransitionDriver
  private let stage = ContainerStage<State, Child>()
  private let name: (State) -> StateName

  /// A controller without a host yet.
  ///
  /// - Parameter name: what a state is called in recordings; by default the name of the
  ///   enumeration's case without its values, or of the type if it is no enumeration.
  public init(name: @escaping (State) -> StateName = { StateName(ofCase: $0) }) {
    self.name = name
    driver = TransitionDriver(policy: LatestPolicy().withholding, performer: stage, isolation: nil)
    stage.driver = driver
  }

  /// A controller without a host yet, of states that have names.
  public convenience init() where State: StateKey {
    self.init(name: \.stateName)
  }

  deinit {
    driver.cancel(.tearDown)
  }

  /// Where observers are told what happens here.
  public var events: EventSource { driver.events }

  /// Uses this host from now on; to be called once, before the container appears.
  ///
  /// The controller does not keep it alive.
  public func bind(to host: any ContainerHost<State, Child>) {
    assert(
      stage.host == nil, "A container controller has one host. Make another for another container.")
    stage.host = host
  }
}

// MARK: States

extension ContainerController {
  /// The state that is shown, or that the transition under way leads to; `nil` before the first.
  public var currentState: State? { stage.current }

  /// Whether a transition is under way.
  public var isTransitioning: Bool { stage.move != nil }

  /// The state that waits for the transition under way, or for the container to appear.
  public var pendingState: State? {
    driver.policy.snapshot.waiting.first
      .flatMap { driver.openSlot(of: $0.visit) }
      .flatMap(stage.place)?.state
  }

  /// The children that are present, lowest first, those on their way out included.
  public var children: [Child] { stage.children.all }

  /// Asks for a state.
  ///
  /// On screen it is shown now, or after the transition under way. Off screen it is shown when
  /// the container appears next, unless a newer request is made. What waits for a transition when
  /// the container begins to disappear is discarded as cancelled.
  ///
  /// - Parameter animated: whether the children come and go animated; on appearing, only if the
  ///   container appears animated as well.
  /// - Returns: the number of the visit that the request has become.
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
    driver.request(.init(state: name(state), site: site)) { slot in
      stage.keep(.init(state: state, animated: animated), in: slot)
    }
  }
}

// MARK: The container's own appearance

extension ContainerController {
  /// The container begins to appear.
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

  /// The container has appeared.
  public func didAppear(animated: Bool) {
    stage.laterStep { [stage] in stage.didAppear(animated: animated) }
  }

  /// The container begins to disappear.
  ///
  /// The transition under way is over with this: children that appear have appeared, those that
  /// disappear are taken out.
  public func willDisappear(animated: Bool) {
    stage.laterStep { [stage] in stage.willDisappear(animated: animated) }
  }

  /// The container has disappeared.
  public func didDisappear(animated: Bool) {
    stage.laterStep { [stage] in stage.didDisappear(animated: animated) }
  }
}
