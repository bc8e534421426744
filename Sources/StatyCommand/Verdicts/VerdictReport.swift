import StatyHistory

/// The verdicts on many sessions, printed as they come: a single session is explained, each of many
/// gets a line.
struct VerdictReport {
  private let words: [String]
  private let isJSON: Bool
  private let isOne: Bool
  private let run: ToolRun
  private let delivery: Delivery
  private var json: [JSONValue] = []
  private var counts: [String: Int] = [:]
  private var isExplained = false
  /// The words of the command line, but file and session.
  private let command: [String]
  /// The suggestion to look at the first verdict of many that is not good.
  private var next: NextSteps.Step?
  /// The same as JUnit XML.
  private(set) var junit: JUnitDocument

  /// - Parameters:
  ///   - words: every possible verdict, in a word.
  init(
    _ words: [String], verb: String, _ arguments: ParsedArguments, _ run: ToolRun,
    delivery: Delivery
  ) {
    self.words = words
    (isJSON, isOne) = (arguments.has("json"), arguments.words.count == 1)
    (self.run, self.delivery) = (run, delivery)
    let besides = ["session", "json", "junit", "outcomes", "quiet", "color", "output", "force"]
    command = [run.tool, verb] + arguments.words(but: Set(besides))
    junit = JUnitDocument(suite: "staty \(verb)")
  }

  /// Adds the verdicts on a file's sessions.
  mutating func add(_ verdicts: [any Verdict], withJUnit hasJUnit: Bool = false) throws {
    for verdict in verdicts {
      counts[verdict.word, default: 0] += 1
      if hasJUnit {
        junit.add("session \(verdict.session.id)", of: verdict.history.path, try verdict.outcome)
      }
    }
    if isJSON {
      json += try verdicts.map { try $0.json(file: $0.history.path) }
    } else if isOne, verdicts.count == 1, !run.isQuiet {
      isExplained = true
      try delivery.write(try verdicts[0].text(page))
    } else {
      for verdict in verdicts where !run.isQuiet || verdict.isNews {
        try delivery.write(try verdict.line(run.style))
        if verdict.isNews, next == nil { next = explaining(verdict) }
      }
    }
  }

  /// Adds a file that could not be read.
  mutating func add(_ failure: Failure, path: String) { junit.add(failure, path: path) }

  private func explaining(_ verdict: any Verdict) -> NextSteps.Step {
    let session = "\(verdict.session.id)"
    let words = command + ["--session", session, ShellWords.quoted(verdict.history.path)]
    return .init(
      text: "More about session \(session) of \(verdict.history.called):",
      command: words.joined(separator: " "))
  }

  private var page: TextSections { TextSections(width: run.console.width, style: run.style) }

  /// Prints what was kept for the end, and the totals, unless nothing could be read.
  func finish() throws {
    if isJSON {
      let sum = words.map { (key: $0.inJSON, value: JSONValue.whole(counts[$0] ?? 0)) }
      try delivery.write(JSONValue.object(["verdicts": .list(json), "sum": .object(sum)]).pretty)
    } else if !isExplained, !run.isQuiet, !counts.isEmpty {
      let parts = words.map { "\(counts[$0] ?? 0) \($0)" }.joined(separator: ", ")
      let sessions = Decimal.count(counts.values.reduce(0, +), "session")
      try delivery.write(page.sum("\(sessions): \(parts)."))
      if let next { try delivery.write("\n" + page.steps([next])) }
    }
    try delivery.finish()
  }
}
