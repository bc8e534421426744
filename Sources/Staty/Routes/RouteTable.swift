/// Which moves are declared: a plain value, recorded with the history.
public struct RouteTable: Hashable, Sendable {
  /// The routes in the order in which they were declared.
  public var routes: [Route] { index.routes }

  /// Every state that there is, also those that no route names.
  public var states: [StateName] { index.states }

  private let index: RouteIndex

  /// A table of these routes between these states and all those that the routes name.
  public init(_ routes: [Route], states: [StateName] = []) {
    index = RouteIndex(routes, states: states)
    assert(index.crowded == nil, Self.advice(index.crowded))
  }

  /// The table that a recording says.
  ///
  /// Whoever wrote it, there may be anything in it: a condition that has no room answers no.
  package init(recorded routes: [Route], states: [StateName]) {
    index = RouteIndex(routes, states: states)
  }

  private static func advice(_ crowded: StateName?) -> String {
    """
    More than \(mostConditional) routes with conditions lead to \(crowded?.description ?? ""). Join \
    those with the same guard into one declared with FromAny.
    """
  }

  /// The routes that lead to a state, in order.
  ///
  /// The place of a route in this list is the place of its answers in ``Request/answers``.
  public func routes(to state: StateName) -> [Route] {
    index.byDestination[state] ?? []
  }

  /// Why nobody may go from one state to another, or `nil` if one may.
  ///
  /// Nothing keeps out what has happened already: a user who went back by himself is back.
  ///
  /// - Parameters:
  ///   - from: where one is; `nil` if nothing has been shown yet.
  ///   - answers: what the conditions of the routes to the destination answered, and what else is
  ///     to be known of the request.
  package func refusal(from: StateName?, to: StateName, answers: UInt64) -> Refusal? {
    if answers == Self.pastRoutes { return nil }
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

  /// Where a contextual destination leads from a state.
  package func destination(of asked: StateName, from: StateName?) -> StateName? {
    index.routes.first { $0.asked == asked && $0.start.includes(from) }?.to
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
  /// The two conditions that a route can have.
  enum Condition: Int {
    case guarding = 0
    case context
  }

  /// How many routes to one state can have conditions.
  ///
  /// Two bits for each must fit into ``Request/answers``; a condition behind them answers no.
  static let mostConditional = 31

  /// The answers of a request that no route is asked about.
  ///
  /// No routes answer so: this bit is behind those of the last that can have conditions.
  package static let pastRoutes: UInt64 = 1 << 63

  /// Among the answers of a request that is made where what was shown has been taken away.
  ///
  /// It is held against the routes that lead from the beginning. The bit is behind those of the last
  /// that can have conditions, too.
  package static let anew: UInt64 = 1 << 62

  /// Whether a request with these answers is held against the routes that lead from the beginning.
  ///
  /// Not one that answers yes to all that could be asked.
  package static func isAnew(_ answers: UInt64) -> Bool { answers & (anew | pastRoutes) == anew }

  static func bit(_ condition: Condition, of place: Int) -> UInt64 {
    place < mostConditional ? 1 << UInt64(place * 2 + condition.rawValue) : 0
  }

  /// Routes to one state in the order in which their answers stand: those with conditions, which
  /// need room for them, before the others.
  static func conditionalFirst<Each>(_ leading: [Each], _ route: (Each) -> Route) -> [Each] {
    leading.filter { route($0).isConditional } + leading.filter { !route($0).isConditional }
  }

  private static func answer(_ condition: Condition, of place: Int, in answers: UInt64) -> Bool {
    answers & bit(condition, of: place) != 0
  }
}

/// A declared move.
public struct Route: Hashable, Sendable {
  var isConditional: Bool { guarding != nil || needs != nil }

  /// Where a route starts.
  public enum Start: Hashable, Sendable {
    /// Before anything has been shown.
    case beginning
    /// In this state.
    case state(StateName)
    /// Anywhere, also at the beginning.
    case anywhere

    func includes(_ state: StateName?) -> Bool {
      switch self {
      case .beginning: state == nil
      case .state(let name): state == name
      case .anywhere: true
      }
    }
  }

  /// Where it starts.
  public var start: Start
  /// Where it leads.
  public var to: StateName
  /// The contextual destination that means this move: `previous` or `next`.
  public var asked: StateName?
  /// The name of what must allow it.
  public var guarding: StateName?
  /// The name of the type that must be handed over.
  public var needs: StateName?

  /// A route with these properties.
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

/// The routes, sorted for finding; made once and shared by all copies of a table.
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

  /// A state to which more routes with conditions lead than there is room for answers.
  var crowded: StateName? {
    byDestination.first { _, leading in
      (leading.lastIndex { $0.isConditional } ?? 0) >= RouteTable.mostConditional
    }?.key
  }
}
