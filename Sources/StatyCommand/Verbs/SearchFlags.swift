import StatyReplay
import StatyRules

// The options of verbs that search orders, and their meanings. The default limits are those of the
// library.

extension OptionSpec {
  /// The option for rules in SQL, which is refused with the reason.
  static let ownRules = OptionSpec.valued("rules", "folder", "").hidden

  /// - Parameter what: what is done with controllers of that kind, and why.
  static func kinds(_ what: String) -> OptionSpec {
    .valued("with", "kind", what).repeatable
  }

  /// - Parameter what: what is done with orders that break the rule, and the default.
  static func rules(_ what: String) -> OptionSpec {
    .valued("rule", "code", choices: RuleCode.allCases.map(\.rawValue), what).repeatable
  }

  /// The limits of a search.
  ///
  /// - Parameters:
  ///   - search: what may hold so much memory.
  ///   - all: what may take so long.
  static func limits(_ search: String, _ all: String) -> [OptionSpec] {
    let usual = Explorer.Options()
    return [
      .valued("max-steps", "n", "How many steps an order may have. Default: \(usual.mostSteps)."),
      .valued(
        "memory", "size",
        "How much \(search) may hold to know what it has seen and where it goes on, as in '512M'. "
          + "Default: \(usual.mostBytes / 1_000_000)M."),
      .valued(
        "time", "time",
        "How long \(all) may take, as in '30s'. Default: "
          + (usual.time.map { "\($0.components.seconds)s." } ?? "no limit.")),
    ]
  }

  /// - Parameter what: what is written.
  static func historyOutput(_ what: String) -> [OptionSpec] {
    [
      .flag("json", "Print one object of JSON."), .valued("output", short: "o", "file", what),
      .flag("force", "Replace the file to write if there is one."),
    ]
  }
}

extension ParsedArguments {
  /// Refuses rules in SQL, with the reason.
  func refuseOwnRules() throws(UsageError) {
    guard has("rules") else { return }
    throw misuse(
      "Rules in SQL cannot be searched for: each reads a whole history, and a search plays thousands of "
        + "orders a second without writing one. Write what is found with '--output', and use "
        + "'check --rules' on it.")
  }

  /// The selected rules; fails if one cannot be replayed.
  func playedRules() throws(UsageError) -> Set<RuleCode>? {
    let codes = try rules()
    if let code = codes?.first(where: { !$0.isPlayed }) {
      throw misuse(
        "The rule '\(code.rawValue)' is about times or threads, which no order of events shows.")
    }
    return codes
  }

  /// The selected rules; fails if no test can be of one.
  func testedRules() throws(UsageError) -> Set<RuleCode>? {
    let codes = try rules()
    if let code = codes?.first(where: { !$0.isSought }) {
      throw misuse("The rule '\(code.rawValue)' is a warning that no test fails for.")
    }
    return codes
  }

  /// The selected rules; none if the option is not given.
  func rules() throws(UsageError) -> Set<RuleCode>? {
    let codes = try choices("rule", of: RuleCode.allCases) { $0.rawValue }
    return codes.isEmpty ? nil : Set(codes)
  }

  /// The limits of a search: steps, bytes and time.
  func limits() throws(UsageError) -> (steps: Int, bytes: Int, time: Duration?) {
    let usual = Explorer.Options()
    return (
      try number("max-steps", in: 1...100_000).map { Int($0) } ?? usual.mostSteps,
      try bytes("memory") ?? usual.mostBytes,
      try duration("time").map { .microseconds($0) } ?? usual.time
    )
  }
}
