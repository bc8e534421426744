/// Moves a target between states, one request after the other, as its policy decides.
///
/// ```swift
/// let controller = StateController<CheckoutView>(policy: .queue)
/// controller.bind(to: view)
/// controller.transition(to: LoadingState())
/// controller.transition(to: AlertState("Sold out"))
/// ```
///
/// A controller lives where its owner lives and is not `Sendable`. It may exist before its
/// target: requests are taken, and states come in once there is something to come in on. If the
/// target goes away, so does what was under way, without a word but to observers.
///
/// The policy is told of a request at once; what it decides is done before `transition` returns,
/// unless that is called from inside a state or an observer: then it is done after what is in
/// hand.
public final class StateController<Target>: Recordable {
  private let driver: TransitionDriver
  private let stage: StateStage
  private let holder = TypedTargetHolder<Target>()
  private var wasBound = false
  private let answers: ((StateName, Any?) -> UInt64)?

  /// The state on the target, or the last one that was; `nil` before the first.
  public var currentState: (any ScreenState<Target>)? {
    // Only states of this target's type are ever kept.
    stage.current as? any ScreenState<Target>
  }

  /// A controller without a target yet.
  ///
  /// - Parameters:
  ///   - policy: the discipline that decides who enters and exits when.
  ///   - deadlines: how long states may take.
  ///   - timer: what measures the deadlines; needed if there are any.
  ///   - isolation: where the controller lives. Completions from elsewhere are carried out there.
  ///     If it is not known here, as in a property's initial value, it is where the controller is
  ///     bound. Outside of an actor use ``onMail(_:)`` for those, or call ``collectMail()``.
  public convenience init(
    policy: some TransitionPolicy = .queue, deadlines: Deadlines = .none,
    timer: (any TransitionTimer)? = nil, isolation: isolated (any Actor)? = #isolation
  ) {
    self.init(policy.withholding, deadlines, timer, isolation, answers: nil)
  }

  /// A controller that lets through only declared moves.
  ///
  /// States are held against the routes by their names.
  public convenience init<Key>(
    policy: some TransitionPolicy = .queue, routes: Routes<Key>, deadlines: Deadlines = .none,
    timer: (any TransitionTimer)? = nil, isolation: isolated (any Actor)? = #isolation
  ) {
    self.init(
      RoutedPolicy(policy.withholding, routes: routes.table), deadlines, timer, isolation,
      answers: routes.answers)
  }

  private init(
    _ policy: some TransitionPolicy, _ deadlines: Deadlines, _ timer: (any TransitionTimer)?,
    _ isolation: (any Actor)?, answers: ((StateName, Any?) -> UInt64)?
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
    // Unsafe, because it is asked on every request: the closure is the driver's own and goes when
    // the driver does, and the driver keeps the stage.
    driver.events.findPayload = { [unowned(unsafe) driver, unowned(unsafe) stage] visit in
      driver.openSlot(of: visit).flatMap(stage.state(in:))?.payload
    }
  }

  deinit {
    holder.forget()
    driver.cancel(.tearDown)
  }

  /// Where observers are told what happens here.
  public var events: EventSource { driver.events }
}

// MARK: The target

extension StateController {
  /// Lets states come in on this target from now on.
  ///
  /// The controller does not keep it alive. Once it has gone the controller is torn down: a new
  /// target needs a new controller.
  public func bind(
    to target: Target, isolation: isolated (any Actor)? = #isolation
  ) where Target: AnyObject {
    holder.set(target)
    begin(isolation)
  }

  /// Lets states come in on what this finds, each time it is asked, until it finds nothing.
  ///
  /// For targets that are no objects, and for those behind a protocol:
  /// `bind { [weak view] in view }`.
  public func bind(
    _ target: @escaping () -> Target?, isolation: isolated (any Actor)? = #isolation
  ) {
    holder.set(target)
    begin(isolation)
  }

  private func begin(_ isolation: (any Actor)?) {
    // A controller that is a property's initial value was made where Swift names no isolation.
    if let isolation { driver.mailbox.setBellIfNone(.actor(.init(actor: isolation))) }
    if wasBound { return }
    wasBound = true
    driver.resume()
  }

  /// Whether there is a target.
  public var isBound: Bool { holder.hasTarget }
}

// MARK: Requests

extension StateController {
  /// Asks for a state.
  ///
  /// - Parameters:
  ///   - state: the state; one object may be asked for again and again, but only by one
  ///     controller at a time.
  ///   - priority: how urgent it is, for policies that ask.
  ///   - origin: the visit whose code asks. Inside a state's `enter` and `exit` it is known
  ///     without being said.
  /// - Returns: the number of the visit that the request has become.
  @discardableResult
  public func transition<S: ScreenState>(
    to state: S, priority: Int32 = 0, origin: Visit? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> VisitNumber where S.Target == Target {
    request(
      state, object: nil, priority, origin, RequestSite(file: file, line: line))
  }

  /// Asks for a state that was made for a more general target.
  ///
  /// - Parameter upcast: gives the target as the state wants it; mostly `{ $0 }`.
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

  /// Cancels a visit: one that waits is discarded, one that is in is told to leave, one that is
  /// coming in is told to leave as soon as it is in.
  ///
  /// Others are left as they are.
  public func cancel(_ visit: VisitNumber) {
    driver.cancel(.visit(visit))
  }

  /// Cancels every visit that is open.
  public func cancelAll() {
    driver.cancel(.all)
  }

  /// Ends the controller: what waits is discarded, and nothing is waited for any more.
  public func tearDown() {
    driver.cancel(.tearDown)
  }

  /// Asks for a state.
  ///
  /// - Parameters:
  ///   - object: what tells it from others, if that is not the state itself.
  ///   - asked: the contextual destination that was asked for.
  ///   - context: what is handed over to it.
  ///   - objection: why it may not be carried out, whatever the policy.
  ///   - answered: what is told of the routes to it, if that is known.
  func request(
    _ state: any ErasedState, object: AnyObject?, _ priority: Int32, _ origin: Visit?,
    _ site: RequestSite, asked: StateName? = nil, context: Any? = nil, objection: Objection? = nil,
    answered: UInt64? = nil
  ) -> VisitNumber {
    driver.collectMail()
    var asking = TransitionDriver.Asking(state: state.name, site: site)
    asking.priority = priority
    asking.asked = asked
    asking.origin = origin?.number
    asking.objection = objection
    if events.isObserved { asking.hasPayload = state.payload != nil }
    if let key = state.coalescingKey { asking.equality = driver.equality(of: key) }
    if let answers {
      asking.answers = answered ?? answers(asking.state, context)
    }
    var isClaimed = true
    switch stage.claim(object ?? state, for: driver.nextVisit) {
    case .granted(let instance):
      asking.instance = instance
    case .inUseElsewhere:
      assertionFailure(
        """
        The state '\(asking.state)' asked for at \(site) is in use by another controller. \
        Give each controller a state object of its own.
        """)
      asking.objection = .inUseElsewhere
      isClaimed = false
    }
    return driver.request(asking) { slot in
      stage.keep(state, other: object, isClaimed: isClaimed, in: slot)
    }
  }
}

// MARK: Reading

extension StateController {
  /// How far the current state is.
  public var phase: Phase { driver.policy.phase }

  /// The visit of the current state.
  public var currentVisit: VisitNumber? { driver.policy.current?.visit }

  /// The visits that wait, next first.
  public var pendingVisits: [VisitNumber] { driver.policy.snapshot.waiting.map(\.visit) }

  /// Whether a state is coming in or leaving.
  public var isTransitioning: Bool { phase == .entering || phase == .exiting }
}

extension StateController {
  /// The state of a visit that is open.
  func state(of visit: VisitNumber) -> (any ScreenState<Target>)? {
    driver.openSlot(of: visit).flatMap(stage.state(in:)) as? any ScreenState<Target>
  }

  /// Whether a visit has neither left nor been discarded.
  func isOpen(_ visit: VisitNumber) -> Bool { driver.isOpen(visit) }

  /// The name of the state that the next request would follow, if it is this urgent.
  func predecessor(priority: Int32) -> StateName? {
    let next = Request(visit: driver.nextVisit, state: "?", priority: priority)
    return driver.policy.predecessor(of: next)?.state
  }
}

// MARK: Mail

extension StateController {
  /// Carries out completions that came from other isolations.
  ///
  /// On an actor this happens by itself.
  public func collectMail() {
    driver.collectMail()
  }

  /// How the owner, if it is not an actor, is told that completions from elsewhere wait for
  /// ``collectMail()``.
  ///
  /// Called on whatever thread completes.
  public func onMail(_ arrived: @escaping @Sendable () -> Void) {
    driver.mailbox.setBell(.call(arrived))
  }
}
