/// Moves between the states of an enumeration along declared routes.
///
/// Whoever wants another screen says which, and hands over what it needs; how one gets there,
/// and whether one may, stands in the table alone.
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
  /// What a state asks for.
  public typealias Destination = RouteDestination<Key>

  private let controller: StateController<Target>
  private let routes: Routes<Key>
  private let makeState: (Key, Any?) -> any ScreenState<Target>

  /// A controller without a target yet.
  ///
  /// - Parameter makeState: makes the state object for a move that is allowed. It may rely on
  ///   the context being what the route needs.
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

  /// Where observers are told what happens here.
  public var events: EventSource { controller.events }

  /// The controller of the states themselves: for binding, cancelling and reading.
  public var states: StateController<Target> { controller }

  /// The key of the state that was shown last; `nil` before the first.
  public var currentKey: Key? {
    controller.currentState.flatMap { ($0 as? KeyState<Key, Target>)?.key }
  }

  /// Asks for a state of the enumeration.
  @discardableResult
  public func show(
    _ state: Key, context: Any? = nil, priority: Int32 = 0, origin: Visit? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> VisitNumber {
    show(
      to: .state(state), context: context, priority: priority, origin: origin, file: file,
      line: line)
  }

  /// Asks for a destination, which may be a contextual one.
  ///
  /// A move that no route allows is discarded as rejected, and observers are told which route is
  /// missing. A contextual destination asked for by a visit that has left is rejected as well: what
  /// it meant is gone, and what it would mean now is not what was asked for.
  @discardableResult
  public func show(
    to destination: Destination, context: Any? = nil, priority: Int32 = 0, origin: Visit? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> VisitNumber {
    controller.collectMail()
    let from = controller.predecessor(priority: priority)
    let asked = destination.asked
    let name = asked.flatMap { routes.table.destination(of: $0, from: from) }
    let key = destination.key ?? name.flatMap(routes.key)
    let state = KeyState(key, named: key?.stateName ?? asked ?? "?", context, makeState)
    let isStale = asked != nil && !(origin.map { controller.isOpen($0.number) } ?? true)
    return controller.request(
      state, object: nil, priority, origin, RequestSite(file: file, line: line), asked: asked,
      context: context, objection: isStale ? .staleOrigin : nil)
  }
}

// What a target that users can change by themselves tells of it.
extension RoutedController {
  /// Follows a user who has gone to a state by himself.
  ///
  /// It has happened, so no route is asked. Recorded as such: a replay lets it through as well.
  @discardableResult
  package func follow(
    to state: Key, file: StaticString = #fileID, line: UInt = #line
  ) -> VisitNumber {
    request(state, context: nil, RouteTable.pastRoutes, file, line)
  }

  /// Asks for a state where a user has taken away what was shown, so that nothing is.
  ///
  /// What may come first may come now, and is recorded as asked for so. For others it is as if what
  /// was taken away were there.
  @discardableResult
  package func showAnew(
    _ state: Key, context: Any? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> VisitNumber {
    let answers = routes.answers(to: state.stateName, context: context)
    guard routes.table.refusal(from: nil, to: state.stateName, answers: answers) == nil else {
      return show(state, context: context, file: file, line: line)
    }
    return request(state, context: context, answers | RouteTable.anew, file, line)
  }

  private func request(
    _ key: Key, context: Any?, _ answers: UInt64, _ file: StaticString, _ line: UInt
  ) -> VisitNumber {
    let state = KeyState(key, named: key.stateName, context, makeState)
    return controller.request(
      state, object: nil, 0, nil, RequestSite(file: file, line: line), context: context,
      answered: answers)
  }
}

/// Stands for a state of the enumeration until it comes in, and only then makes the state object:
/// a request that is rejected or replaced makes none.
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

  /// The same screen with the same context is the same; a context that cannot be compared is not.
  var coalescingKey: AnyHashable? {
    guard let context else { return key.map(AnyHashable.init) }
    return (context as? AnyHashable).map { AnyHashable([AnyHashable(name), $0]) }
  }

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
