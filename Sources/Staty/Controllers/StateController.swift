/// Switches a target between states, in the order that its policy decides.
///
/// ```swift
/// let controller = StateController<CheckoutView>(policy: .queue)
/// controller.bind(to: view)
/// controller.transition(to: LoadingState())
/// controller.transition(to: AlertState("Sold out"))
/// ```
///
/// A controller is used in the isolation of its owner and is not `Sendable`. You can make requests
/// before you bind a target; states enter when there is one. If the target is released, all visits
/// end. Observers get an event for that, and nothing else is called.
///
/// A request reaches the policy at once. The policy's decisions are carried out before `transition`
/// returns. If you call `transition` from inside a state or an observer, they are carried out after
/// the current work.
public final class StateController<Target>: Recordable {
  private let driver: TransitionDriver
  private let stage: StateStage
  private let holder = TypedTargetHolder<Target>()
  private var wasBound = false
  private let answers: ((StateName) -> UInt64)?

  /// The current state, or the last one; `nil` before the first.
  public var currentState: (any ScreenState<Target>)? {
    // Only states of this target's type are ever kept.
    stage.current as? any ScreenState<Target>
  }

  /// Creates a controller.
  ///
  /// Call `bind(to:)` to give it a target.
  ///
  /// - Parameters:
  ///   - policy: decides when states enter and exit.
  ///   - deadlines: time limits for states.
  ///   - timer: measures the deadlines; required if there are any.
  ///   - isolation: the actor that the controller lives on. Completions from other isolations are
  ///     handled there. If it is not known here, as in a property's initial value, it is the actor
  ///     that binds the controller. Without an actor, use ``onMail(_:)`` or call ``collectMail()``.
  public convenience init(
    policy: some TransitionPolicy = .queue, deadlines: Deadlines = .none,
    timer: (any TransitionTimer)? = nil, isolation: isolated (any Actor)? = #isolation
  ) {
    self.init(policy.withholding, deadlines, timer, isolation, answers: nil)
  }

  /// Creates a controller that allows only declared routes.
  ///
  /// The names of the states are compared with the routes.
  public convenience init<Key>(
    policy: some TransitionPolicy = .queue, routes: Routes<Key>, deadlines: Deadlines = .none,
    timer: (any TransitionTimer)? = nil, isolation: isolated (any Actor)? = #isolation
  ) {
    self.init(
      RoutedPolicy(policy.withholding, routes: routes.table), deadlines, timer, isolation,
      answers: { routes.answers(to: $0, context: nil) })
  }

  private init(
    _ policy: some TransitionPolicy, _ deadlines: Deadlines, _ timer: (any TransitionTimer)?,
    _ isolation: (any Actor)?, answers: ((StateName) -> UInt64)?
  ) {
    if deadlines.hasLimit, timer == nil {
      assertionFailure(
        "Deadlines need a timer. Pass `timer: ClockTimer()`, or a manual clock in tests.")
    }
    stage = StateStage(holder: holder)
    driver = TransitionDriver(
      policy: policy, performer: stage, isolation: isolation,
      watch: DeadlineWatch(deadlines, timer: timer))
    self.answers = answers
    // Unsafe, because this runs on every request. The driver owns the closure and the stage, so
    // both live as long as the closure.
    driver.events.findPayload = { [unowned(unsafe) driver, unowned(unsafe) stage] visit in
      driver.openSlot(of: visit).flatMap(stage.state(in:))?.payload
    }
  }

  deinit {
    // A state that is being told something still needs its target: the driver lets go of it afterwards.
    if driver.isAtWork { holder.forgetLater() } else { holder.forget() }
    driver.cancel(.tearDown)
  }

  /// The source of the controller's events.
  ///
  /// Add observers here.
  public var events: EventSource { driver.events }
}

// MARK: The target

extension StateController {
  /// Sets the target, and starts the pending requests.
  ///
  /// The controller holds the target weakly. When the target is released, the controller is torn
  /// down: a new target needs a new controller.
  public func bind(
    to target: Target, isolation: isolated (any Actor)? = #isolation
  ) where Target: AnyObject {
    holder.set(target)
    begin(isolation)
  }

  /// Sets a closure that returns the target each time it is needed, and starts the pending
  /// requests.
  ///
  /// Use it for a target that is not an object, or that is known by a protocol: `bind { [weak view]
  /// in view }`. When the closure returns `nil`, the controller is torn down.
  public func bind(
    _ target: @escaping () -> Target?, isolation: isolated (any Actor)? = #isolation
  ) {
    holder.set(target)
    begin(isolation)
  }

  private func begin(_ isolation: (any Actor)?) {
    assert(
      !driver.hasLostTarget,
      """
      The target of this controller was released, which has ended the controller: it discards all \
      requests. Make a new controller for a new target.
      """)
    // In a property's initial value, Swift does not know the isolation.
    if let isolation { driver.mailbox.setBellIfNone(.actor(.init(actor: isolation))) }
    if wasBound { return }
    wasBound = true
    driver.resume()
  }

  /// Whether the controller has a target.
  public var isBound: Bool { holder.hasTarget }
}

// MARK: Requests

extension StateController {
  /// Requests a state.
  ///
  /// - Parameters:
  ///   - state: the state. You can request the same object several times, but only from one
  ///     controller at a time.
  ///   - priority: the urgency, for policies that use it.
  ///   - origin: the visit that makes the request. Inside a state's `enter` and `exit` you
  ///     can omit it.
  ///   - file: the file of the call site.
  ///   - line: the line of the call site.
  /// - Returns: the number of the request's visit.
  @discardableResult
  public func transition<S: ScreenState>(
    to state: S, priority: Int32 = 0, origin: Visit? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> VisitNumber where S.Target == Target {
    request(
      state, object: nil, priority, origin, RequestSite(file: file, line: line))
  }

  /// Requests a state that was written for a more general target.
  ///
  /// - Parameters:
  ///   - state: the state.
  ///   - priority: the urgency, for policies that use it.
  ///   - origin: the visit that makes the request.
  ///   - file: the file of the call site.
  ///   - line: the line of the call site.
  ///   - upcast: converts the target to the type that the state needs; usually `{ $0 }`.
  /// - Returns: the number of the request's visit.
  @discardableResult
  public func transition<S: ScreenState>(
    to state: S, priority: Int32 = 0, origin: Visit? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    upcast: @escaping (Target) -> S.Target
  ) -> VisitNumber {
    request(
      UpcastState(state, upcast), object: state, priority, origin,
      RequestSite(file: file, line: line))
  }

  /// Cancels a visit.
  ///
  /// A pending visit is discarded. A visit that has entered is told to exit. A visit that is
  /// entering is told to exit when it has entered. Other visits do not change.
  public func cancel(_ visit: VisitNumber) {
    driver.cancel(.visit(visit))
  }

  /// Cancels every open visit.
  public func cancelAll() {
    driver.cancel(.all)
  }

  /// Ends the controller: every open visit is discarded, and no completion is awaited any more.
  public func tearDown() {
    driver.cancel(.tearDown)
  }

  /// Requests a state.
  ///
  /// - Parameters:
  ///   - object: the object that identifies it, if that is not the state itself.
  ///   - asked: the contextual destination that was requested.
  ///   - objection: why the request must not be carried out, whatever the policy.
  ///   - answered: the answers of the conditions of the routes to it, if they are known.
  func request(
    _ state: any ErasedState, object: AnyObject?, _ priority: Int32, _ origin: Visit?,
    _ site: RequestSite, asked: StateName? = nil, objection: Objection? = nil,
    answered: UInt64? = nil
  ) -> VisitNumber {
    driver.collectMail()
    var parts = TransitionDriver.RequestParts(state: state.name, site: site)
    parts.priority = priority
    parts.asked = asked
    parts.origin = origin?.number
    parts.objection = objection
    if events.isObserved { parts.hasPayload = state.payload != nil }
    if let key = state.coalescingKey { parts.equality = driver.equality(of: key) }
    if let answers {
      parts.answers = answered ?? answers(parts.state)
    }
    // A state that is made when it enters says it when it is told to exit.
    if state.awaitsUser { parts.answers |= RouteTable.awaitsUser }
    driver.claim(object ?? state, for: &parts)
    let slot = driver.open(parts)
    stage.keep(state, in: slot)
    return driver.request(parts, in: slot)
  }
}

// MARK: Reading

extension StateController {
  /// The phase of the current state.
  public var phase: Phase { driver.policy.phase }

  /// The visit of the current state.
  public var currentVisit: VisitNumber? { driver.policy.current?.visit }

  /// The pending visits, next first.
  public var pendingVisits: [VisitNumber] { driver.policy.snapshot.waiting.map(\.visit) }

  /// Whether a state is entering or exiting.
  public var isTransitioning: Bool { phase == .entering || phase == .exiting }
}

extension StateController {
  /// The state of an open visit.
  func state(of visit: VisitNumber) -> (any ScreenState<Target>)? {
    driver.openSlot(of: visit).flatMap(stage.state(in:)) as? any ScreenState<Target>
  }

  /// Whether a visit has neither exited nor been discarded.
  func isOpen(_ visit: VisitNumber) -> Bool { driver.isOpen(visit) }

  /// The name of the state that the next request would follow, at this priority.
  func predecessor(priority: Int32) -> StateName? {
    let next = Request(visit: driver.nextVisit, state: "?", priority: priority)
    return driver.policy.predecessor(of: next)?.state
  }
}

// MARK: Mail

extension StateController {
  /// Handles the completions that came from other isolations.
  ///
  /// On an actor this happens automatically.
  public func collectMail() {
    driver.collectMail()
  }

  /// Sets a closure that is called when completions from other isolations wait for
  /// ``collectMail()``.
  ///
  /// Use it if the controller's owner is not an actor. The closure is called on the thread that
  /// completes.
  public func onMail(_ arrived: @escaping @Sendable () -> Void) {
    driver.mailbox.setBell(.call(arrived))
  }
}
