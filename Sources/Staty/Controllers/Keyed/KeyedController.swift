/// Moves a host, such as a table view, between states that are kept under keys.
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
/// A move happens within one update block and is over when `transition` returns, unless that is
/// called inside another move or from an observer: then it waits its turn, first in, first out,
/// and has a block of its own.
///
/// There are no rules about which state may follow which. A request for a key without a state is
/// discarded as rejected, and whatever is in place stays.
public final class KeyedController<Key: StateKey, Data>: Recordable {
  private let driver: TransitionDriver
  private let stage = KeyedStage<Key, Data>()
  private var states: [Key: any KeyedState<Key, Data>] = [:]
  private var wasBound = false

  /// A controller without a host yet.
  ///
  /// It takes requests and carries them out once it is bound.
  public init() {
    driver = TransitionDriver(policy: QueuePolicy().withholding, performer: stage, isolation: nil)
    stage.driver = driver
    stage.controller = self
  }

  deinit {
    driver.cancel(.tearDown)
  }

  /// Where observers are told what happens here.
  public var events: EventSource { driver.events }

  /// What the states are shown on.
  ///
  /// The controller does not keep it alive, except during a move.
  public var host: (any KeyedHost)? { stage.host }

  /// Lets states come in on this host from now on.
  public func bind(to host: any KeyedHost) {
    stage.host = host
    if wasBound { return }
    wasBound = true
    driver.resume()
  }
}

// MARK: States

extension KeyedController {
  /// Puts a state under a key, in place of the one that was there.
  ///
  /// What has been asked for already, and what is in place, stays with the former state. A state
  /// object belongs to one controller at a time.
  public func setState(_ state: some KeyedState<Key, Data>, forKey key: Key) {
    states[key] = state
    state.join(self, forKey: key)
  }

  /// The state under this key.
  public func state(forKey key: Key) -> (any KeyedState<Key, Data>)? { states[key] }

  /// The key of the state in place; `nil` before the first, and when the last has left.
  public var currentKey: Key? { stage.currentKey }

  /// The visit of the state in place, or of the last one that was.
  public var currentVisit: VisitNumber? { driver.policy.current?.visit }

  func isOpen(_ visit: VisitNumber) -> Bool { driver.isOpen(visit) }
}

// MARK: Requests

extension KeyedController {
  /// Asks for the state under a key, also if it is the one in place: then it leaves and comes in
  /// again with the new data.
  ///
  /// A state that asks for the next one later should do so through the ``KeyedVisit`` that it was
  /// given, so that it cannot when it has left meanwhile.
  ///
  /// - Parameter data: what the state comes in with.
  /// - Returns: the visit that the request has become and, if it is refused, why.
  @discardableResult
  public func transition(
    to key: Key, with data: Data? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> KeyedRequest {
    transition(to: key, with: data, origin: nil, file: file, line: line)
  }

  /// Cancels a visit: one that waits is discarded; the one in place leaves, and nothing is in
  /// place until the next request.
  public func cancel(_ visit: VisitNumber) {
    driver.cancel(.visit(visit))
  }

  /// Ends the controller: what waits is discarded, what is in place stays, nothing follows.
  public func tearDown() {
    driver.cancel(.tearDown)
  }

  func transition(
    to key: Key, with data: Data?, origin: VisitNumber?, file: StaticString, line: UInt
  ) -> KeyedRequest {
    let site = RequestSite(file: file, line: line)
    var asking = TransitionDriver.Asking(state: key.stateName, site: site)
    asking.origin = origin
    let state = states[key]
    asking.objection = objection(to: state, from: origin)
    if let state, asking.objection == nil { claim(state, for: &asking) }
    let isClaimed = asking.objection == nil
    let discarded = discardReason(asking.objection)
    let visit = driver.request(asking) { slot in
      guard let state else { return }
      stage.keep(.init(key: key, state: state, data: data, isClaimed: isClaimed), in: slot)
    }
    return KeyedRequest(visit: visit, discarded: discarded)
  }

  private func objection(
    to state: (any KeyedState<Key, Data>)?, from origin: VisitNumber?
  ) -> Objection? {
    if state == nil { return .unknownState }
    if let origin, !driver.isOpen(origin) { return .staleOrigin }
    return nil
  }

  private func claim(
    _ state: any KeyedState<Key, Data>, for asking: inout TransitionDriver.Asking
  ) {
    switch stage.claim(state, for: driver.nextVisit) {
    case .granted(let instance):
      asking.instance = instance
    case .inUseElsewhere:
      assertionFailure(
        """
        The state '\(asking.state)' asked for at \(asking.site) is in use by another controller. \
        Give each controller a state object of its own.
        """)
      asking.objection = .inUseElsewhere
    }
  }

  private func discardReason(_ objection: Objection?) -> DiscardReason? {
    if let objection { return .rejected(.objection(objection)) }
    return driver.policy.snapshot.isTornDown ? .tornDown : nil
  }
}
