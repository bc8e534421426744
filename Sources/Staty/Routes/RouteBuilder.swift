/// Collects the declarations of a table of routes.
@resultBuilder
public enum RouteBuilder<Key: StateKey> {
  /// Takes in the routes of a `From`.
  public static func buildExpression(_ routes: From<Key>) -> [DeclaredRoute<Key>] { routes.routes }
  /// Takes in the routes of a `Start`.
  public static func buildExpression(_ routes: Start<Key>) -> [DeclaredRoute<Key>] { routes.routes }
  /// Takes in the routes of a `FromAny`.
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

/// Collects the destinations that can be reached from one start.
@resultBuilder
public enum DestinationBuilder<Key: StateKey> {
  /// Takes in a destination.
  public static func buildExpression(_ destination: To<Key>) -> [DeclaredRoute<Key>] {
    [destination.route]
  }
  /// Takes in what `previous` means.
  public static func buildExpression(_ destination: Previous<Key>) -> [DeclaredRoute<Key>] {
    [destination.route]
  }
  /// Takes in what `next` means.
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

/// A route as it is declared, with the code of its conditions.
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

/// The routes that lead away from one state.
public struct From<Key: StateKey> {
  let routes: [DeclaredRoute<Key>]

  /// From this state to each of these.
  public init(_ state: Key, @DestinationBuilder<Key> to body: () -> [DeclaredRoute<Key>]) {
    routes = body().map { route in
      var route = route
      route.start = .state(state.stateName)
      route.from = state
      return route
    }
  }
}

/// The states that may be the first.
public struct Start<Key: StateKey> {
  let routes: [DeclaredRoute<Key>]

  /// From nothing to each of these.
  public init(@DestinationBuilder<Key> to body: () -> [DeclaredRoute<Key>]) {
    routes = body().map { route in
      var route = route
      route.start = .beginning
      return route
    }
  }
}

/// The states that can be reached from everywhere.
public struct FromAny<Key: StateKey> {
  let routes: [DeclaredRoute<Key>]

  /// From any state to each of these.
  public init(@DestinationBuilder<Key> to body: () -> [DeclaredRoute<Key>]) {
    routes = body().map { route in
      var route = route
      route.start = .anywhere
      return route
    }
  }
}

/// A destination that may carry conditions.
public protocol ConditionalDestination<Key> {
  /// What stands for a state.
  associatedtype Key: StateKey
  /// The route that this declares.
  var route: DeclaredRoute<Key> { get set }
}

extension ConditionalDestination {
  /// Allows the move only while this is true.
  ///
  /// The name appears in the refusal and in drawings.
  public func when(_ name: StateName, _ allows: @escaping () -> Bool) -> Self {
    when(name, given: { _ in allows() })
  }

  /// Allows the move only while this is true of what is handed over.
  public func when(_ name: StateName, given allows: @escaping (Any?) -> Bool) -> Self {
    var conditional = self
    conditional.route.guarding = .init(name: name, allows: allows)
    return conditional
  }

  /// Allows the move only if a value of this type is handed over.
  public func needing<Context>(_ type: Context.Type) -> Self {
    var conditional = self
    conditional.route.context = .init(name: StateName(of: type)) { $0 is Context }
    return conditional
  }
}

/// A state that a route leads to.
public struct To<Key: StateKey>: ConditionalDestination {
  public var route: DeclaredRoute<Key>

  /// To this state.
  public init(_ state: Key) {
    route = DeclaredRoute(to: state)
  }
}

/// What `previous` means in a state.
public struct Previous<Key: StateKey>: ConditionalDestination {
  public var route: DeclaredRoute<Key>

  /// Asking for `previous` leads to this state.
  public init(_ state: Key) {
    route = DeclaredRoute(to: state, asked: "previous")
  }
}

/// What `next` means in a state.
public struct Next<Key: StateKey>: ConditionalDestination {
  public var route: DeclaredRoute<Key>

  /// Asking for `next` leads to this state.
  public init(_ state: Key) {
    route = DeclaredRoute(to: state, asked: "next")
  }
}
