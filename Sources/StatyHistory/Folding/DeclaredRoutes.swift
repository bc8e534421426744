/// The declared routes between states, by the numbers of the states' names in the file.
///
/// Conditions of routes are ignored: only the controller can ask its guards.
struct DeclaredRoutes: Sendable {
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
  /// A state without a known name may be any state.
  mutating func isUndeclared(from: Int32, to: Int32) -> Bool {
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
