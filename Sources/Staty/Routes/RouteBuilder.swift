/// Builds a table of routes from declarations.
@resultBuilder
public enum RouteBuilder<Key: StateKey> {
  /// Adds the routes of a `From`.
  public static func buildExpression(_ routes: From<Key>) -> [DeclaredRoute<Key>] { routes.routes }
  /// Adds the routes of a `Start`.
  public static func buildExpression(_ routes: Start<Key>) -> [DeclaredRoute<Key>] { routes.routes }
  /// Adds the routes of a `FromAny`.
  public static func buildExpression(_ routes: FromAny<Key>) -> [DeclaredRoute<Key>] {
    routes.routes
  }
  /// Joins the declarations of a block.
  public static func buildBlock(_ parts: [DeclaredRoute<Key>]...) -> [DeclaredRoute<Key>] {
    parts.flatMap(\.self)
  }
  /// Leaves out what an `if` did not choose.
  public static func buildOptional(_ part: [DeclaredRoute<Key>]?) -> [DeclaredRoute<Key>] {
    part ?? []
  }
  /// Takes the first branch.
  public static func buildEither(first part: [DeclaredRoute<Key>]) -> [DeclaredRoute<Key>] { part }
  /// Takes the second branch.
  public static func buildEither(second part: [DeclaredRoute<Key>]) -> [DeclaredRoute<Key>] { part }
  /// Joins what a loop declared.
  public static func buildArray(_ parts: [[DeclaredRoute<Key>]]) -> [DeclaredRoute<Key>] {
    parts.flatMap(\.self)
  }
}

/// Builds a list of destinations from declarations.
@resultBuilder
public enum DestinationBuilder<Key: StateKey> {
  /// Adds a destination.
  public static func buildExpression(_ destination: To<Key>) -> [DeclaredRoute<Key>] {
    [destination.route]
  }
  /// Adds the destination of `previous`.
  public static func buildExpression(_ destination: Previous<Key>) -> [DeclaredRoute<Key>] {
    [destination.route]
  }
  /// Adds the destination of `next`.
  public static func buildExpression(_ destination: Next<Key>) -> [DeclaredRoute<Key>] {
    [destination.route]
  }
  /// Joins the destinations of a block.
  public static func buildBlock(_ parts: [DeclaredRoute<Key>]...) -> [DeclaredRoute<Key>] {
    parts.flatMap(\.self)
  }
  /// Leaves out what an `if` did not choose.
  public static func buildOptional(_ part: [DeclaredRoute<Key>]?) -> [DeclaredRoute<Key>] {
    part ?? []
  }
  /// Takes the first branch.
  public static func buildEither(first part: [DeclaredRoute<Key>]) -> [DeclaredRoute<Key>] { part }
  /// Takes the second branch.
  public static func buildEither(second part: [DeclaredRoute<Key>]) -> [DeclaredRoute<Key>] { part }
  /// Joins what a loop declared.
  public static func buildArray(_ parts: [[DeclaredRoute<Key>]]) -> [DeclaredRoute<Key>] {
    parts.flatMap(\.self)
  }
}

/// A declared route, with the code of its conditions.
public struct DeclaredRoute<Key: StateKey> {
  struct Guard {
    let name: StateName
    let allows: (Any?) -> Bool
  }

  struct Context {
    let name: StateName
    let accepts: (Any?) -> Bool
  }

  var start: Route.Start = .anywhere
  var from: Key?
  let to: Key
  var asked: StateName?
  var guarding: Guard?
  var context: Context?

  var route: Route {
    Route(
      from: start, to: to.stateName, asked: asked, guarding: guarding?.name, needs: context?.name)
  }
}

/// Declares the routes that start at one state.
public struct From<Key: StateKey> {
  let routes: [DeclaredRoute<Key>]

  /// Declares routes from a state to each destination.
  public init(_ state: Key, @DestinationBuilder<Key> to body: () -> [DeclaredRoute<Key>]) {
    routes = body().map { route in
      var route = route
      route.start = .state(state.stateName)
      route.from = state
      return route
    }
  }
}

/// Declares the states that may be the first.
public struct Start<Key: StateKey> {
  let routes: [DeclaredRoute<Key>]

  /// Declares routes from the beginning to each destination.
  public init(@DestinationBuilder<Key> to body: () -> [DeclaredRoute<Key>]) {
    routes = body().map { route in
      var route = route
      route.start = .beginning
      return route
    }
  }
}

/// Declares the states that can be reached from every state.
public struct FromAny<Key: StateKey> {
  let routes: [DeclaredRoute<Key>]

  /// Declares routes from every state to each destination.
  public init(@DestinationBuilder<Key> to body: () -> [DeclaredRoute<Key>]) {
    routes = body()
  }
}

/// A destination that can have conditions.
public protocol ConditionalDestination<Key> {
  /// The type of the keys of states.
  associatedtype Key: StateKey
  /// The declared route.
  var route: DeclaredRoute<Key> { get set }
}

extension ConditionalDestination {
  /// Allows the route only while a condition is true: of several, while all are.
  ///
  /// - Parameters:
  ///   - name: the name of the condition, which appears in refusals and drawings.
  ///   - allows: the condition.
  public func when(_ name: StateName, _ allows: @escaping () -> Bool) -> Self {
    when(name, given: { _ in allows() })
  }

  /// Allows the route only while a condition on the request's context is true.
  ///
  /// - Parameters:
  ///   - name: the name of the condition, which appears in refusals and drawings.
  ///   - allows: the condition.
  public func when(_ name: StateName, given allows: @escaping (Any?) -> Bool) -> Self {
    var conditional = self
    let earlier = route.guarding
    conditional.route.guarding = .init(
      name: earlier.map { StateName("\($0.name) and \(name)") } ?? name
    ) { (earlier?.allows($0) ?? true) && allows($0) }
    return conditional
  }

  /// Allows the route only if the request's context has this type.
  public func needing<Context>(_ type: Context.Type) -> Self {
    var conditional = self
    conditional.route.context = .init(name: StateName(of: type)) { $0 is Context }
    return conditional
  }
}

/// Declares a state that a route leads to.
public struct To<Key: StateKey>: ConditionalDestination {
  public var route: DeclaredRoute<Key>

  /// Declares a route to a state.
  public init(_ state: Key) {
    route = DeclaredRoute(to: state)
  }
}

/// Declares the destination of `previous`.
public struct Previous<Key: StateKey>: ConditionalDestination {
  public var route: DeclaredRoute<Key>

  /// Declares that `previous` leads to a state.
  public init(_ state: Key) {
    route = DeclaredRoute(to: state, asked: "previous")
  }
}

/// Declares the destination of `next`.
public struct Next<Key: StateKey>: ConditionalDestination {
  public var route: DeclaredRoute<Key>

  /// Declares that `next` leads to a state.
  public init(_ state: Key) {
    route = DeclaredRoute(to: state, asked: "next")
  }
}
