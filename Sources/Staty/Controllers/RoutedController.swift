/// Shows the states of an enumeration, and allows only declared routes between them.
///
/// A caller says which screen it wants and passes the data for it. Only the table of routes decides
/// whether the transition is allowed.
///
/// ```swift
/// let navigator = RoutedController<Screen, RootView>(routes: routes) { screen, context in
///   switch screen {
///   case .list: ListState()
///   case .detail: DetailState(item: context as! Item)
///   …
///   }
/// }
/// navigator.show(.detail, context: item)
/// navigator.show(to: .previous)
/// ```
public final class RoutedController<Key: StateKey, Target>: Recordable {
  /// A destination of a request.
  public typealias Destination = RouteDestination<Key>

  private let controller: StateController<Target>
  private let routes: Routes<Key>
  private let makeState: (Key, Any?) -> any ScreenState<Target>

  /// Creates a controller.
  ///
  /// Bind a target through ``states``.
  ///
  /// - Parameters:
  ///   - policy: decides when states enter and exit.
  ///   - routes: the allowed transitions.
  ///   - deadlines: time limits for states.
  ///   - timer: measures the deadlines; required if there are any.
  ///   - isolation: the actor that the controller lives on.
  ///   - makeState: creates the state object for an allowed transition. The context has the type
  ///     that the route needs.
  public init(
    policy: some TransitionPolicy = .queue, routes: Routes<Key>, deadlines: Deadlines = .none,
    timer: (any TransitionTimer)? = nil, isolation: isolated (any Actor)? = #isolation,
    makeState: @escaping (Key, Any?) -> any ScreenState<Target>
  ) {
    self.routes = routes
    self.makeState = makeState
    controller = StateController(
      policy: policy, routes: routes, deadlines: deadlines, timer: timer, isolation: isolation)
  }

  /// The source of the controller's events.
  ///
  /// Add observers here.
  public var events: EventSource { controller.events }

  /// The controller of the state objects.
  ///
  /// Use it to bind a target, to cancel and to read.
  public var states: StateController<Target> { controller }

  /// The key of the state that entered last; `nil` before the first.
  public var currentKey: Key? {
    controller.currentState.flatMap { ($0 as? KeyState<Key, Target>)?.key }
  }

  /// Requests a state of the enumeration.
  ///
  /// - Parameters:
  ///   - state: the state to show.
  ///   - context: the data for the state.
  ///   - priority: the urgency, for policies that use it.
  ///   - origin: the visit that makes the request.
  ///   - file: the file of the call site.
  ///   - line: the line of the call site.
  /// - Returns: the number of the request's visit.
  @discardableResult
  public func show(
    _ state: Key, context: Any? = nil, priority: Int32 = 0, origin: Visit? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> VisitNumber {
    show(
      to: .state(state), context: context, priority: priority, origin: origin, file: file,
      line: line)
  }

  /// Requests a destination: a state, or a contextual destination such as `previous`.
  ///
  /// A request that no route allows is discarded as `rejected`, and the event says which route is
  /// missing. If the visit that requests it has exited, it comes too late: a contextual destination is rejected
  /// as well, because it would lead somewhere else now.
  @discardableResult
  public func show(
    to destination: Destination, context: Any? = nil, priority: Int32 = 0, origin: Visit? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> VisitNumber {
    controller.collectMail()
    let from = controller.predecessor(priority: priority)
    let asked = destination.asked
    let name = asked.flatMap { routes.destination(of: $0, from: from, context: context) }
    let key = destination.key ?? name.flatMap(routes.key)
    let state = KeyState(key, named: key?.stateName ?? asked ?? "?", context, makeState)
    let answers = routes.answers(to: state.name, context: context)
    // A view that has exited asks too late for what led only from it.
    let isStale =
      isOver(origin)
      && (asked != nil || routes.table.refusal(from: from, to: state.name, answers: answers) != nil)
    return controller.request(
      state, object: nil, priority, origin, RequestSite(file: file, line: line), asked: asked,
      objection: isStale ? .staleOrigin : nil,
      answered: answers)
  }

  /// Whether the visit that makes a request has exited.
  private func isOver(_ origin: Visit?) -> Bool {
    origin.map { !controller.isOpen($0.number) } ?? false
  }
}

// For a target that the user can change directly, such as a tab bar.
extension RoutedController {
  /// Requests a state that the user has already gone to.
  ///
  /// It has already happened, so routes are not checked. The recording says so, and a replay allows
  /// it too.
  @discardableResult
  package func follow(
    to state: Key, file: StaticString = #fileID, line: UInt = #line
  ) -> VisitNumber {
    request(state, context: nil, RouteTable.pastRoutes, file, line)
  }

  /// Requests a state after the user has removed the one that was shown.
  ///
  /// States that may be the first are allowed, and the recording says so. For other states the
  /// routes start at the state that was removed. A request of a visit that has exited comes too late.
  @discardableResult
  package func showAnew(
    _ state: Key, context: Any? = nil, origin: Visit? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) -> VisitNumber {
    let answers = routes.answers(to: state.stateName, context: context)
    if routes.table.refusal(from: nil, to: state.stateName, answers: answers) == nil {
      return request(
        state, context: context, answers | RouteTable.anew, file, line, origin: origin)
    }
    guard isOver(origin) else {
      return show(state, context: context, origin: origin, file: file, line: line)
    }
    return request(
      state, context: context, answers | RouteTable.anew, file, line, origin: origin,
      objection: .staleOrigin)
  }

  private func request(
    _ key: Key, context: Any?, _ answers: UInt64, _ file: StaticString, _ line: UInt,
    origin: Visit? = nil, objection: Objection? = nil
  ) -> VisitNumber {
    let state = KeyState(key, named: key.stateName, context, makeState)
    return controller.request(
      state, object: nil, 0, origin, RequestSite(file: file, line: line), objection: objection,
      answered: answers)
  }
}

/// Represents a state of the enumeration, and creates the state object when it enters: a request
/// that is rejected or replaced creates none.
private final class KeyState<Key: StateKey, Target>: ScreenState {
  let key: Key?
  let name: StateName
  private let context: Any?
  private let makeState: (Key, Any?) -> any ScreenState<Target>
  private var state: (any ScreenState<Target>)?

  init(
    _ key: Key?, named name: StateName, _ context: Any?,
    _ makeState: @escaping (Key, Any?) -> any ScreenState<Target>
  ) {
    self.key = key
    self.name = name
    self.context = context
    self.makeState = makeState
  }

  /// Equal for the same screen with an equal context; `nil` if the context cannot be compared.
  var coalescingKey: AnyHashable? {
    guard let context else { return key.map(AnyHashable.init) }
    return (context as? AnyHashable).map { AnyHashable([AnyHashable(name), $0]) }
  }

  var awaitsUser: Bool { state?.awaitsUser ?? false }

  func enter(on target: Target, visit: Visit) {
    // Without a key no route led here, and the policy has rejected the request.
    guard let key else { return visit.exited() }
    let state = makeState(key, context)
    self.state = state
    state.enter(on: target, visit: visit)
  }

  func exit(from target: Target, visit: Visit) {
    guard let state else { return visit.exited() }
    state.exit(from: target, visit: visit)
  }
}
