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
    guard let directory = opendir(folder) else {
      throw Failure(
        status: .noInput,
        message: "Reading the rules in '\(folder)': \(String(cString: strerror(errno))).",
        advice: "Name a folder with files such as 'long-alert.sql'.")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasEnding(".sql"), !name.utf8.starts(with: ".".utf8) { names.append(name) }
    }
    return names.sorted()
  }

  /// Calls `body` with everything that breaks the rules in a history.
  ///
  /// A rule that runs out of time is not applied again: for many files that would take many times
  /// as long, without a result.
  ///
  /// - Parameter drafts: the files to remove if the process must be ended because a rule does not
  ///   return; none if the process may not be ended.
  /// - Returns: the failures of rules that ran out of time.
  mutating func findings(
    in history: OpenHistory, drafts: [String]?, each body: (FoundPlace) throws -> Void
  ) throws -> [Failure] {
    var failures: [Failure] = []
    for rule in rules {
      let question = OwnRuleQuestion(rule: rule, history: history, patience: patience)
      let watch = drafts.map {
        LastResort(
          failure: Failure(
            OwnRuleQuestion.OutOfTime(
              rule: rule, path: history.path, seconds: patience / .seconds(1))), drafts: $0,
          isStuck: { [isAsking = question.isAsking] in isAsking.isSet }
        ).watch(for: patience)
      }
      defer { watch?.cancel() }
      do {
        try question.findings(each: body)
      } catch let stopped as OwnRuleQuestion.OutOfTime {
        failures.append(Failure(stopped))
        rules.removeAll { $0.path == rule.path }
      }
    }
    return failures
  }
}
