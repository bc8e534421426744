import LibC
import StatyRules

/// The rules in a folder, one in each file with the extension `.sql`.
struct OwnRules {
  /// The rules that are still applied.
  private(set) var rules: [OwnRule]
  private let patience: Duration

  /// No rules.
  init() { (rules, patience) = ([], .zero) }

  /// - Parameter patience: how long each may take in each history.
  init(in folder: String, patience: Duration = .seconds(60)) throws(Failure) {
    self.patience = patience
    var rules: [OwnRule] = []
    for name in try Self.names(in: folder) { rules.append(try OwnRule(path: folder + "/" + name)) }
    guard !rules.isEmpty else {
      throw Failure(
        status: .noInput, message: "There is no rule in '\(folder)'.",
        advice: "A rule is a file such as 'long-alert.sql' that selects what breaks it.")
    }
    if let taken = rules.first(where: { RuleCode(rawValue: $0.code) != nil }) {
      throw Failure(
        status: .usage, message: "The rule '\(taken.path)' has the code of another rule.",
        advice: "Give its file another name.")
    }
    self.rules = rules
  }

  /// The names of the files in a folder that are rules, in order.
  static func names(in folder: String) throws(Failure) -> [String] {
    guard let names = folder.namesInFolder else {
      throw Failure(
        status: .noInput,
        message: "Reading the rules in '\(folder)': \(String(cString: strerror(errno))).",
        advice: "Name a folder with files such as 'long-alert.sql'.")
    }
    return names.filter { $0.hasEnding(".sql") && !$0.utf8.starts(with: ".".utf8) }
  }

  /// Calls `body` with everything that breaks the rules in a history.
  ///
  /// A rule that runs out of time is not applied again: for many files that would take many times
  /// as long, without a result.
  ///
  /// - Returns: the failures of rules that ran out of time.
  mutating func findings(
    in history: OpenHistory, each body: (FoundPlace) throws -> Void
  ) throws -> [Failure] {
    var failures: [Failure] = []
    for rule in rules {
      let question = OwnRuleQuestion(rule: rule, history: history, patience: patience)
      guard let failure = try question.findings(each: body) else { continue }
      failures.append(failure)
      rules.removeAll { $0.path == rule.path }
    }
    return failures
  }
}
