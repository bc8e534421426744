/// The declared routes as a plain value, which is recorded in the history.
public struct RouteTable: Hashable, Sendable {
  /// The routes, in the order of their declaration.
  public var routes: [Route] { index.routes }

  /// All states, including those without a route.
  public var states: [StateName] { index.states }

  private let index: RouteIndex

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - routes: the routes.
  ///   - states: states to include, even if no route names them.
  public init(_ routes: [Route], states: [StateName] = []) {
    index = RouteIndex(routes, states: states)
    assert(index.crowded == nil, Self.advice(index.crowded))
  }

  /// Creates the table of a recording.
  ///
  /// A recording may contain anything. A condition for which there is no bit is never satisfied.
  package init(recorded routes: [Route], states: [StateName]) {
    index = RouteIndex(routes, states: states)
  }

  private static func advice(_ crowded: StateName?) -> String {
    """
    More than \(mostConditional) routes with conditions lead to \(crowded?.description ?? ""). Join \
    those with the same guard into one declared with FromAny.
    """
  }

  /// Returns the routes that lead to a state, in order.
  ///
  /// The place of a route in this list is the place of its bits in ``Request/answers``.
  public func routes(to state: StateName) -> [Route] {
    index.byDestination[state] ?? []
  }

  /// Returns why a transition between two states is not allowed; `nil` if it is.
  ///
  /// A transition that has already happened is always allowed, for example when the user went back.
  ///
  /// - Parameters:
  ///   - from: the state before; `nil` if no state was shown yet.
  ///   - to: the destination.
  ///   - answers: the answers of the conditions of the routes to the destination, and the flags
  ///     ``pastRoutes`` and ``anew``.
  package func refusal(from: StateName?, to: StateName, answers: UInt64) -> Refusal? {
    if answers & ~Self.awaitsUser == Self.pastRoutes { return nil }
    let from = Self.isAnew(answers) ? nil : from
    var refusal = Refusal.noRoute(from: from)
    guard let leading = index.byDestination[to] else { return refusal }
    for (place, route) in leading.enumerated() where route.start.includes(from) {
      if let guarding = route.guarding, !Self.answer(.guarding, of: place, in: answers) {
        refusal = .guarded(from: from, guard: guarding)
      } else if let needs = route.needs, !Self.answer(.context, of: place, in: answers) {
        refusal = .context(from: from, needs: needs)
      } else {
        return nil
      }
    }
    return refusal
  }

  /// Returns whether the conditions of a route hold, whatever other routes lead to its destination.
  func isOpen(_ route: Route, answers: UInt64) -> Bool {
    guard let place = routes(to: route.to).firstIndex(of: route) else { return false }
    return (route.guarding == nil || Self.answer(.guarding, of: place, in: answers))
      && (route.needs == nil || Self.answer(.context, of: place, in: answers))
  }

  public static func == (one: RouteTable, other: RouteTable) -> Bool {
    one.index === other.index
      || (one.routes == other.routes && one.states == other.states)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(index.routes.count)
  }
}

extension RouteTable {
  /// The conditions that a route can have.
  enum Condition: Int {
    case guarding = 0
    case context
  }

  /// The highest number of routes with conditions to one state.
  ///
  /// Each needs two bits in ``Request/answers``.
  static let mostConditional = 30

  /// The answers of a request that is not checked against routes.
  ///
  /// No condition uses this bit.
  package static let pastRoutes: UInt64 = 1 << 63

  /// A flag in the answers of a request that is made after the user has removed the current state.
  ///
  /// The request is checked against the routes from the beginning. No condition uses this bit.
  package static let anew: UInt64 = 1 << 62

  /// A flag in the answers of a request whose state exits only when the user closes it; of the order to exit, if
  /// the state says so then.
  ///
  /// It is about no route. No condition uses this bit.
  package static let awaitsUser: UInt64 = 1 << 61

  /// Whether a request with these answers is checked against the routes from the beginning.
  ///
  /// It is not if ``pastRoutes`` is set as well.
  package static func isAnew(_ answers: UInt64) -> Bool { answers & (anew | pastRoutes) == anew }

  static func bit(_ condition: Condition, of place: Int) -> UInt64 {
    place < mostConditional ? 1 << UInt64(place * 2 + condition.rawValue) : 0
  }

  /// Sorts the routes to one state in the order of their bits: routes with conditions first,
  /// because only these need bits.
  static func conditionalFirst<Each>(_ leading: [Each], _ route: (Each) -> Route) -> [Each] {
    leading.filter { route($0).isConditional } + leading.filter { !route($0).isConditional }
  }

  private static func answer(_ condition: Condition, of place: Int, in answers: UInt64) -> Bool {
    answers & bit(condition, of: place) != 0
  }
}

/// A declared route.
public struct Route: Hashable, Sendable {
  var isConditional: Bool { guarding != nil || needs != nil }

  /// The start of a route.
  public enum Start: Hashable, Sendable {
    /// The beginning, before any state was shown.
    case beginning
    /// A state.
    case state(StateName)
    /// Any state, and the beginning.
    case anywhere

    func includes(_ state: StateName?) -> Bool {
      switch self {
      case .beginning: state == nil
      case .state(let name): state == name
      case .anywhere: true
      }
    }
  }

  /// The start of the route.
  public var start: Start
  /// The destination of the route.
  public var to: StateName
  /// The contextual destination that leads along this route: `previous` or `next`.
  public var asked: StateName?
  /// The name of the route's guard, if it has one.
  public var guarding: StateName?
  /// The name of the type that the request's context must have, if the route needs one.
  public var needs: StateName?

  /// Creates a route.
  public init(
    from start: Start, to: StateName, asked: StateName? = nil, guarding: StateName? = nil,
    needs: StateName? = nil
  ) {
    self.start = start
    self.to = to
    self.asked = asked
    self.guarding = guarding
    self.needs = needs
  }
}

/// The routes by destination; built once and shared by all copies of a table.
private final class RouteIndex: Sendable {
  let routes: [Route]
  let states: [StateName]
  let byDestination: [StateName: [Route]]

  init(_ routes: [Route], states: [StateName]) {
    self.routes = routes
    byDestination = Dictionary(grouping: routes, by: \.to).mapValues {
      RouteTable.conditionalFirst($0) { $0 }
    }
    var all = states
    var known = Set(states)
    for route in routes {
      if case .state(let name) = route.start, known.insert(name).inserted { all.append(name) }
      if known.insert(route.to).inserted { all.append(route.to) }
    }
    self.states = all
  }

  /// A state with more conditional routes than there are bits for.
  var crowded: StateName? {
    byDestination.first { _, leading in
      (leading.lastIndex { $0.isConditional } ?? 0) >= RouteTable.mostConditional
    }?.key
  }
}
