/// The declared routes between the states of an enumeration, with their guards.
///
/// ```swift
/// let routes = Routes<Screen> {
///   Start { To(.list) }
///   From(.list) {
///     To(.detail).needing(Item.self)
///     To(.edit).when("signed in") { session.isSignedIn }
///   }
///   From(.detail) {
///     Previous(.list)
///     Next(.summary)
///   }
///   FromAny { To(.failure) }
/// }
/// ```
///
/// Without a `Start`, any state may be the first.
public struct Routes<Key: StateKey> {
  /// The routes as a plain value, without the code of the guards.
  public let table: RouteTable

  private let conditions: [StateName: [Conditions]]
  private let keys: [StateName: Key]

  fileprivate struct Conditions {
    var guarding: ((Any?) -> Bool)?
    var context: ((Any?) -> Bool)?
  }

  /// Creates routes between given states.
  public init(states: [Key], @RouteBuilder<Key> _ body: () -> [DeclaredRoute<Key>]) {
    var declared = body()
    if !declared.contains(where: { $0.start == .beginning }) {
      declared += Self.anyBeginning(states: states, declared: declared)
    }
    table = RouteTable(declared.map(\.route), states: states.map(\.stateName))
    conditions = Dictionary(grouping: declared, by: { $0.to.stateName }).mapValues { leading in
      let sorted = RouteTable.conditionalFirst(leading, \.route)
      return sorted.map { Conditions(guarding: $0.guarding?.allows, context: $0.context?.accepts) }
    }
    var keys: [StateName: Key] = [:]
    for key in states + declared.map(\.to) + declared.compactMap(\.from) {
      keys[key.stateName] = key
    }
    self.keys = keys
  }

  private static func anyBeginning(
    states: [Key], declared: [DeclaredRoute<Key>]
  ) -> [DeclaredRoute<Key>] {
    var seen: Set<StateName> = []
    return (states + declared.compactMap(\.from) + declared.map(\.to)).compactMap { key in
      seen.insert(key.stateName).inserted ? DeclaredRoute(start: .beginning, to: key) : nil
    }
  }
}

extension Routes where Key: CaseIterable {
  /// Creates routes between all cases of an enumeration.
  public init(@RouteBuilder<Key> _ body: () -> [DeclaredRoute<Key>]) {
    self.init(states: Array(Key.allCases), body)
  }
}

extension Routes {
  /// The current answers of the conditions of the routes to a state, in the form of
  /// ``Request/answers``.
  func answers(to state: StateName, context: Any?) -> UInt64 {
    var answers: UInt64 = 0
    for (place, conditions) in (conditions[state] ?? []).enumerated() {
      if conditions.guarding?(context) ?? true { answers |= RouteTable.bit(.guarding, of: place) }
      if conditions.context?(context) ?? true { answers |= RouteTable.bit(.context, of: place) }
    }
    return answers
  }

  /// The state that a contextual destination leads to from a state now: of several, the first that is open.
  func destination(of asked: StateName, from: StateName?, context: Any?) -> StateName? {
    let leading = table.routes.filter { $0.asked == asked && $0.start.includes(from) }
    let open = leading.first { table.isOpen($0, answers: answers(to: $0.to, context: context)) }
    return (open ?? leading.first)?.to
  }

  /// The state with this name.
  func key(named name: StateName) -> Key? { keys[name] }
}
