import StatyReplay
import StatyRules

// The options of verbs that search orders, and their meanings. The default limits are those of the
// library.

extension OptionSpec {
  /// - Parameter what: what is done with controllers of that kind, and why.
  static func kinds(_ what: String) -> OptionSpec {
    .valued("with", "kind", what).repeatable
  }

  /// - Parameters:
  ///   - isMeant: which rules can be selected.
  ///   - what: what is done with orders that break the rule, and the default.
  static func rules(where isMeant: (RuleCode) -> Bool, _ what: String) -> OptionSpec {
    let codes = RuleCode.allCases.filter(isMeant).map(\.rawValue)
    return .valued("rule", "code", choices: codes, what).repeatable
  }

  /// The limits of a search.
  ///
  /// - Parameters:
  ///   - search: what may hold so much memory.
  ///   - all: what may take so long.
  static func limits(_ search: String, _ all: String) -> [OptionSpec] {
    let usual = Explorer.Options()
    return [
      .valued(
        "max-steps", "n", in: 1...100_000,
        "How many steps an order may have. Default: \(usual.mostSteps)."),
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
  /// The selected rules; none if the option is not given.
  var rules: Set<RuleCode>? {
    let codes = texts("rule").compactMap(RuleCode.init)
    return codes.isEmpty ? nil : Set(codes)
  }

  /// The limits of a search: steps, bytes and time.
  var limits: (steps: Int, bytes: Int, time: Duration?) {
    let usual = Explorer.Options()
    return (
      number("max-steps").map { Int($0) } ?? usual.mostSteps, bytes("memory") ?? usual.mostBytes,
      duration("time").map { .microseconds($0) } ?? usual.time
    )
  }
}
