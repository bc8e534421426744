import StatyReplay
import StatyRules

// What verbs take that play orders again and again, and what it means.

/// How far a verb searches where nothing is said of it: as far as code that says nothing of it.
struct SearchLimit {
  let steps: Int
  let runs: Int
  let bytes: Int
  let time: Duration?

  /// For one that goes through every order.
  static let exploring = SearchLimit(Explorer.Options())
  /// For one that goes through a few orders, many times over.
  static let minimizing = SearchLimit(Minimizer.Options())

  private init(_ options: Explorer.Options) {
    (steps, runs) = (options.mostSteps, options.mostRuns)
    (bytes, time) = (options.mostBytes, options.time)
  }

  private init(_ options: Minimizer.Options) {
    (steps, runs) = (options.mostSteps, options.mostRuns)
    (bytes, time) = (options.mostBytes, options.time)
  }
}

extension OptionSpec {
  /// Rules in SQL, which are refused with the reason.
  static let ownRules = OptionSpec.valued("rules", "folder", "").hidden

  /// - Parameter what: what is done with controllers of that kind, and why.
  static func kinds(_ what: String) -> OptionSpec {
    .valued("with", "kind", what).repeatable
  }

  /// - Parameter what: what is done with orders that break the rule, and what by default.
  static func rules(_ what: String) -> OptionSpec {
    .valued("rule", "code", choices: RuleCode.allCases.map(\.rawValue), what).repeatable
  }

  /// - Parameter runs: what runs are counted.
  static func limits(_ limit: SearchLimit, runs: String) -> [OptionSpec] {
    [
      .valued("max-steps", "n", "How many steps an order may have. Default: \(limit.steps)."),
      .valued("max-runs", "n", "\(runs) Default: \(limit.runs)."),
    ]
  }

  /// - Parameter one: what may take so long.
  static func time(_ limit: SearchLimit, _ one: String) -> OptionSpec {
    .valued(
      "time", "time",
      "How long \(one) may take, as in '30s'. Default: "
        + (limit.time.map { "\($0.components.seconds)s." } ?? "no limit."))
  }

  /// - Parameter one: what may hold so much.
  static func memory(_ limit: SearchLimit, _ one: String) -> OptionSpec {
    .valued(
      "memory", "size",
      "How much \(one) may hold to know what it has seen and where it goes on, as in '512M'. "
        + "Default: \(limit.bytes / 1_000_000)M.")
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
  /// Says why rules in SQL are not searched for, if that is asked.
  func refuseOwnRules() throws(UsageError) {
    guard has("rules") else { return }
    throw misuse(
      "Rules in SQL cannot be searched for: each reads a whole history, and a search plays thousands of "
        + "orders a second without writing one. Write what is found with '--output', and use "
        + "'check --rules' on it.")
  }

  /// The same, of what is played again.
  func playedRules() throws(UsageError) -> Set<RuleCode>? {
    let codes = try rules()
    if let code = codes?.first(where: { !$0.isPlayed }) {
      throw misuse(
        "The rule '\(code.rawValue)' is about times or threads, which no order of events shows.")
    }
    return codes
  }

  /// The same, of errors.
  func errorRules() throws(UsageError) -> Set<RuleCode>? {
    let codes = try rules()
    if let code = codes?.first(where: { $0.severity != .error }) {
      throw misuse("The rule '\(code.rawValue)' is a warning, and a test is of errors.")
    }
    return codes
  }

  /// The rules that are meant; none if nothing is said of it.
  func rules() throws(UsageError) -> Set<RuleCode>? {
    let codes = try choices("rule", of: RuleCode.allCases) { $0.rawValue }
    return codes.isEmpty ? nil : Set(codes)
  }

  func mostSteps(_ limit: SearchLimit) throws(UsageError) -> Int {
    try number("max-steps", in: 1...100_000).map { Int($0) } ?? limit.steps
  }

  func mostRuns(_ limit: SearchLimit) throws(UsageError) -> Int {
    try number("max-runs", in: 1...1_000_000_000).map { Int($0) } ?? limit.runs
  }

  func mostBytes(_ limit: SearchLimit) throws(UsageError) -> Int {
    try bytes("memory") ?? limit.bytes
  }

  func time(_ limit: SearchLimit) throws(UsageError) -> Duration? {
    try duration("time").map { .microseconds($0) } ?? limit.time
  }
}
