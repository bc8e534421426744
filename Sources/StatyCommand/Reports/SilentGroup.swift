import StatyRules

/// Controllers of a session that the same rules could not judge.
struct SilentGroup {
  let controllers: [Int32]
  let rules: [HistoryCheck.SilentRule]

  /// How many of them are named.
  private static let named = 3

  /// The groups, each with its controllers in the order of their numbers.
  static func groups(of silent: [HistoryCheck.SilentRule]) -> [SilentGroup] {
    let rules = Dictionary(grouping: silent) { $0.controller }
    let alike = Dictionary(grouping: rules.keys) { rules[$0, default: []].map(\.code) }
    return alike.values.map { controllers in
      let sorted = controllers.sorted()
      return SilentGroup(controllers: sorted, rules: rules[sorted[0], default: []])
    }.sorted { $0.controllers[0] < $1.controllers[0] }
  }

  /// The names of the controllers in messages.
  func called(_ name: (Int32) -> String) -> String {
    let first = controllers.prefix(Self.named).map(name).joined(separator: ", ")
    let others = controllers.count - Self.named
    if others <= 0 { return first }
    return first + " and \(Decimal.count(others, "other controller"))"
  }
}
