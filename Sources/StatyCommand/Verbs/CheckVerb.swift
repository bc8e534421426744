import Staty
import StatyHistory
import StatyReading
import StatyRules

/// `staty check`: checks histories with the ordering rules.
struct CheckVerb: Verb {
  static let isJudge = true
  static let spec = VerbSpec(
    name: "check", abstract: "Check histories against the ordering rules.",
    discussion: """
      Each broken rule is reported with the event, what led to it and what followed. The checksums are \
      verified first: a session that was changed or damaged is not checked, and the exit is 65. Exits \
      with 1 if an error was found, and with 2 if nothing has happened that could be judged.

      \(patience)

      With '--rules' each file in the folder that ends with '.sql' is one more rule: one SELECT over the \
      views (see 'query --views') of what breaks it, with the columns 'session' and 'seq' of the event \
      and, if you like, controller, visit, state, severity and detail. The file's name is the rule's \
      code. Comments at its beginning may say '-- severity: warning', or 'note', and '-- sentence: what went wrong'.

      With '-f' what is found is printed while it is recorded, each finding once, until Ctrl-C: of the \
      session that is open, and of those that begin later. What has not followed in time is reported \
      then, though it may still come. What is still being written is not verified.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.", isRepeatable: true)],
    options: SessionChoice.options + [
      .flag("strict", "Exit with 1 on warnings, too."),
      .valued(
        "limit", "n",
        "How many findings to explain, and damaged sessions to name; 0 for all. Default: 20. All are "
          + "counted."),
      .valued(
        "without", "code", choices: RuleCode.allCases.map(\.rawValue),
        "Leave this rule out, such as 'out-of-order' of a policy that keeps no order."
      ).repeatable,
      .flag("oneline", "One line per finding: place, code and cause.").excluding("format", "json"),
      .valued("junit", "file", "Write the result as JUnit XML into a file, too."),
      .valued("rules", "folder", "Check the rules in this folder, too.").input,
      .flag("follow", short: "f", "Go on with what is recorded from now on.")
        .excluding("rules", "junit", "output"),
    ] + .rows)

  /// How long the rules wait.
  static let patience: String = {
    let usual = CheckOptions()
    func words(_ time: Duration) -> String { Decimal.duration(time.inMicroseconds) }
    return
      "If what should follow is not there \(words(usual.patience)) later, 'never-entered', "
      + "'never-arrived' or 'never-exited' is found. A session's time ends when the recorder is closed or "
      + "suspended, or with the last event if the app was killed before. "
      + "'never-entered' is found at once "
      + "where the recording of a controller ends while nothing is under way. 'slow-enter' is found of a "
      + "state that takes longer than \(words(usual.slowEnter)) to enter, and 'slow-exit' of one that "
      + "takes longer than \(words(usual.slowExit)) to exit."
  }()

  let arguments: ParsedArguments

  init(arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    guard arguments.has("follow") else { return }
    guard arguments.words.count == 1 else {
      throw arguments.misuse("'--follow' follows one history at a time.")
    }
    guard arguments.rowFormat != .json else {
      throw arguments.misuse("'--follow' has no end to print one object at: use '--format ndjson'.")
    }
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let junit = arguments.junit
    try arguments.output.check(apartFrom: junit)
    var own = try arguments.text("rules").map { try OwnRules(in: $0) } ?? OwnRules()
    let file = try junit.path.map { _ in try Delivery(junit, run.console) }
    let delivery = try Delivery(arguments.output, run.console)
    let form: CheckReport.Form =
      arguments.rowFormat.map { .rows($0) }
      ?? (arguments.has("oneline") ? .lines : .explanations)
    let limit = arguments.limit(orElse: arguments.has("follow") ? .max : 20)
    var report = CheckReport(
      form, limit: limit, hasOwnRules: !own.rules.isEmpty,
      junit: file.map { _ in CheckJUnit(isStrict: arguments.has("strict")) }, run: run,
      delivery: delivery)
    if arguments.has("follow") {
      var follower = FindingFollower(arguments, report, run)
      report = try follower.follow()
      try report.finish()
      return status(report)
    }
    let choice = SessionChoice(arguments)
    let statuses = try run.overFiles(arguments.words) { history in
      try history.doing("Checking") { reader in
        let sessions = try choice.sessions(of: history, verifying: false)
        guard !sessions.isEmpty else {
          // A history without sessions must not seem to have passed.
          throw Failure.noSession(in: history, doing: "Checking", asked: "a rule is broken")
        }
        try choice.checkNames(sessions, of: history)
        var whole: Set<Int64> = []
        for session in sessions {
          do {
            try check(session, history, reader, &report)
            whole.insert(session.id)
          } catch let failure as Failure where failure.status == .badData {
            // The other sessions are still checked.
            report.add(failure, path: history.path, session: session.id)
            if report.sum.damagedSessions <= limit { run.report(failure) }
          }
        }
        let isJudged = try check(&own, history, whole, run, &report)
        return .worst(
          of: [
            whole.count == sessions.count ? .done : .badData, isJudged ? .done : .inconclusive,
          ])
      }
    } onFailure: {
      report.add($0, path: $1)
    }
    try report.finish()
    if let file, let junit = report.junit {
      try file.write(junit.text)
      try file.finish()
    }
    return .worst(of: statuses + [status(report)])
  }

  private func status(_ report: CheckReport) -> ExitCode {
    let isBroken = report.sum.errors > 0 || arguments.has("strict") && report.sum.warnings > 0
    return isBroken ? .broken : report.sum.isIdle ? .inconclusive : .done
  }

  private func check(
    _ session: SessionRecord, _ history: OpenHistory, _ reader: HistoryReader,
    _ report: inout CheckReport
  ) throws {
    try history.verify(session)
    let result = try HistoryCheck(reader).session(session.id)
    if let contradiction = try result.contradiction(in: reader) {
      throw Failure(
        status: .badData,
        message: "Checking '\(history.path)', session \(session.id): \(contradiction)",
        advice: "The file was changed after it was recorded. Take another copy.")
    }
    try report.add(
      result, of: session, in: history, SessionChoice(arguments),
      without: arguments.texts("without"))
  }

  /// Applies the user's rules; returns whether all finished in time.
  private func check(
    _ rules: inout OwnRules, _ history: OpenHistory, _ sessions: Set<Int64>, _ run: ToolRun,
    _ report: inout CheckReport
  ) throws -> Bool {
    let controllers = SessionChoice(arguments).controllers
    let failures = try rules.findings(in: history) { place in
      let isMeant =
        controllers.isEmpty || place.controller.map(controllers.contains) ?? true
      if sessions.contains(place.session), isMeant { try report.add(place) }
    }
    for failure in failures {
      run.report(failure)
      report.add(failure, path: history.path)
    }
    return failures.isEmpty
  }
}
