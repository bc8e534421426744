/// Switches a host, such as a table view, between states that are stored under keys.
///
/// ```swift
/// let controller = KeyedController<CommentsKey, [Comment]>()
/// controller.setState(EmptyState(), forKey: .empty)
/// controller.setState(LoadingState(), forKey: .loading)
/// controller.setState(PopulatedState(), forKey: .populated)
/// controller.bind(to: tableHost)
/// controller.transition(to: .loading)
/// ```
///
/// A transition happens in one update block and has ended when `transition` returns. If you request
/// it inside another transition or from an observer, it is pending, in the order of requests, and
/// gets an update block of its own.
///
/// Any state can follow any other. A request for a key without a state is discarded as `rejected`,
/// and the current state stays.
public final class KeyedController<Key: StateKey, Data>: Recordable {
  private let driver: TransitionDriver
  private let stage = KeyedStage<Key, Data>()
  private var states: [Key: any KeyedState<Key, Data>] = [:]
  private var wasBound = false

  /// Creates a controller.
  ///
  /// Requests are pending until you call ``bind(to:)``.
  public init() {
    driver = TransitionDriver(policy: QueuePolicy().withholding, performer: stage, isolation: nil)
    stage.driver = driver
    stage.controller = self
  }

  deinit {
    driver.cancel(.tearDown)
  }

  /// The source of the controller's events.
  ///
  /// Add observers here.
  public var events: EventSource { driver.events }

  /// The host that the states are shown on.
  ///
  /// The controller holds the host weakly, except during a transition.
  public var host: (any KeyedHost)? { stage.host }

  /// Sets the host, and starts the pending requests.
  public func bind(to host: any KeyedHost) {
    stage.host = host
    if wasBound { return }
    wasBound = true
    driver.resume()
  }
}

// MARK: States

extension KeyedController {
  /// Stores a state under a key.
  ///
  /// It replaces the state that was stored there.
  ///
  /// The current state and pending requests keep the old state. A state object can be used by one
  /// controller at a time.
  public func setState(_ state: some KeyedState<Key, Data>, forKey key: Key) {
    states[key] = state
    state.join(self, forKey: key)
  }

  /// The state under this key.
  public func state(forKey key: Key) -> (any KeyedState<Key, Data>)? { states[key] }

  /// The key of the current state.
  ///
  /// `nil` before the first, and after the last has exited.
  public var currentKey: Key? { stage.currentKey }

  /// The visit of the current state, or of the last one.
  public var currentVisit: VisitNumber? { driver.policy.current?.visit }

  func isOpen(_ visit: VisitNumber) -> Bool { driver.isOpen(visit) }
}

// MARK: Requests

extension KeyedController {
  /// Requests the state under a key.
  ///
  /// If it is the current state, it exits and enters again with the new data.
  ///
  /// A state that makes a request later, such as after a load, should use the ``KeyedVisit`` that
  /// it got in `enter`. Then a request that comes too late is rejected.
  ///
  /// - Parameters:
  ///   - key: the key of the state.
  ///   - data: the data for the state's `enter`.
  ///   - file: the file of the call site.
  ///   - line: the line of the call site.
  /// - Returns: the request's visit and, if the request is rejected, the reason.
  @discardableResult
  public func transition(
    to key: Key, with data: Data? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> KeyedRequest {
    transition(to: key, with: data, origin: nil, file: file, line: line)
  }

  /// Cancels a visit: a pending visit is discarded.
  ///
  /// The current state exits, and there is no current state until the next request.
  public func cancel(_ visit: VisitNumber) {
    driver.cancel(.visit(visit))
  }

  /// Ends the controller: pending requests are discarded, the current state stays, and no state
  /// enters any more.
  public func tearDown() {
    driver.cancel(.tearDown)
  }

  func transition(
    to key: Key, with data: Data?, origin: VisitNumber?, file: StaticString, line: UInt
  ) -> KeyedRequest {
    let site = RequestSite(file: file, line: line)
    var parts = TransitionDriver.RequestParts(state: key.stateName, site: site)
    parts.origin = origin
    let state = states[key]
    parts.objection = objection(to: state, from: origin)
    if let state, parts.objection == nil { driver.claim(state, for: &parts) }
    let discarded = discardReason(parts.objection)
    let slot = driver.open(parts)
    if let state { stage.keep(.init(key: key, state: state, data: data), in: slot) }
    let visit = driver.request(parts, in: slot)
    return KeyedRequest(visit: visit, discarded: discarded)
  }

  private func objection(
    to state: (any KeyedState<Key, Data>)?, from origin: VisitNumber?
  ) -> Objection? {
    if state == nil { return .unknownState }
    if let origin, !driver.isOpen(origin) { return .staleOrigin }
    return nil
  }

  private func discardReason(_ objection: Objection?) -> DiscardReason? {
    if let objection { return .rejected(.objection(objection)) }
    return driver.policy.snapshot.isTornDown ? .tornDown : nil
  }
}
