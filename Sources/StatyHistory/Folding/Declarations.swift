import Staty

/// What the app has declared of a controller, by the numbers of names in the file.
struct Declarations: Sendable {
  /// The other tracks that should show the same.
  let mirrors: [TrackMirror]
  private var routes: DeclaredRoutes?
  private var transient: NamedStates?
  /// Of a track with a mirror: the name of an optional that holds nothing.
  private var nothing: NamedStates?

  init(_ opening: ControllerOpening) {
    mirrors = opening.mirrors
    nothing = opening.mirrors.isEmpty ? nil : NamedStates(["none"])
    declare(opening)
  }

  /// Replaces the routes and the states that it leaves again.
  mutating func declare(_ opening: ControllerOpening) {
    routes = opening.routes.map(DeclaredRoutes.init)
    transient = opening.transient.isEmpty ? nil : NamedStates(opening.transient)
  }

  /// Forgets the routes, because nothing takes them any more.
  mutating func dropRoutes() { routes = nil }

  var needsNames: Bool { routes != nil || transient != nil || nothing != nil }

  mutating func learn(_ names: [Int32: String]) {
    routes?.learn(names)
    transient?.learn(names)
    nothing?.learn(names)
  }

  /// Whether a state should have been left again.
  func isTransient(_ state: Int32) -> Bool { transient?.contains(state) ?? false }
  /// Whether a state is that of an optional that holds nothing; only of a track with a mirror.
  func isNothing(_ state: Int32) -> Bool { nothing?.contains(state) ?? false }
  /// Whether no route leads from one state to another, if there are any routes.
  mutating func isUndeclared(from: Int32, to: Int32) -> Bool {
    routes?.isUndeclared(from: from, to: to) ?? false
  }
}

/// The declared routes between states, by the numbers of the states' names in the file.
///
/// Conditions of routes are ignored: only the controller can ask its guards.
private struct DeclaredRoutes: Sendable {
  private var routes: Set<Route> = []
  private var fromAnywhere: Set<String> = []
  private var names: [Int32: String] = [:]
  /// Earlier answers, by the two numbers.
  private var answers: [UInt64: Bool] = [:]

  private struct Route: Hashable {
    var from: String?
    var to: String
  }

  init(_ declared: [SnapshotRecord.Route]) {
    for route in declared {
      if route.isAnywhere == true {
        fromAnywhere.insert(route.to)
      } else {
        routes.insert(Route(from: route.from, to: route.to))
      }
    }
  }

  /// Adds names to those that it knows.
  mutating func learn(_ names: [Int32: String]) {
    if self.names.isEmpty { self.names = names } else { self.names.merge(names) { _, new in new } }
    answers = [:]
  }

  /// Whether no route leads from one state to another; a first state of 0 is the beginning.
  ///
  /// A state without a known name may be any state, and so may -1.
  mutating func isUndeclared(from: Int32, to: Int32) -> Bool {
    if from < 0 { return false }
    let key = UInt64(UInt32(bitPattern: from)) << 32 | UInt64(UInt32(bitPattern: to))
    if let known = answers[key] { return known }
    if answers.count == Self.mostAnswers { answers = [:] }
    let answer = find(from: from, to: to)
    answers[key] = answer
    return answer
  }

  private static let mostAnswers = 4_096

  private func find(from: Int32, to: Int32) -> Bool {
    guard let target = names[to] else { return false }
    if fromAnywhere.contains(target) { return false }
    if from == 0 { return !routes.contains(Route(from: nil, to: target)) }
    guard let source = names[from] else { return false }
    return !routes.contains(Route(from: source, to: target))
  }
}

/// States with certain names, by the numbers of the names in the file.
private struct NamedStates: Sendable {
  private let names: Set<String>
  private var numbers: Set<Int32> = []

  init(_ names: Set<String>) { self.names = names }

  /// Adds names to those that it knows.
  mutating func learn(_ names: [Int32: String]) {
    for (number, name) in names where self.names.contains(name) { numbers.insert(number) }
  }

  func contains(_ state: Int32) -> Bool { numbers.contains(state) }
}
