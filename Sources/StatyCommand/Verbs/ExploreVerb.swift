import StatyHistory
import StatyReplay
import StatyRules

/// `staty explore`: searches every possible order of a recording.
struct ExploreVerb: Verb {
  static let spec = VerbSpec(
    name: "explore",
    abstract:
      "Try every possible order of callbacks, and report the shortest one that breaks a rule.",
    discussion: """
      A recorded session is played in all orders: requests of one place in the code keep their \
      order, a state answers at any later moment, and what happened inside a call happens there \
      again. A message that answers another comes at any time after that; messages that answer none \
      keep their order, and so do the answers to one message. The first order found that breaks a rule is a shortest one and ends the search; with \
      '--each' it goes on for a shortest order of each rule.

      A single policy with at most 64 requests is searched state by state. Anything else is run from \
      the beginning again and again; '--until' keeps that short.

      Only mistakes of the controller count. That a state never answers does not, unless '--rule' \
      names 'never-arrived' or 'never-exited': then it counts if other requests wait for it.

      Exits with 0 if every order was searched and none breaks a rule, 1 if one does, 2 if the \
      search was cut before that was known, or nothing can happen.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.", isRepeatable: true)],
    options: SessionChoice.options + [
      .valued("until", "seq", "Take what was recorded up to the event with this number."),
      .kinds(
        "Search controllers of this kind, such as 'queue' or 'latest', or one of them, as in "
          + "'checkout=queue'."),
      .flag(
        "never",
        "A state that answers later may also never answer; what follows from that counts, not the "
          + "silence."),
      .rules(
        where: \.isPlayed,
        "Search for this rule alone, such as 'overlap'. Default: all errors, 'stale-answer' and "
          + "'double-push'."),
      .flag("each", "Find a shortest order for each rule that is broken."),
    ] + OptionSpec.limits("a search", "the search of a session")
      + OptionSpec.historyOutput(
        "Write the shortest order that breaks a rule as a history; with '--each', one session for "
          + "each order."))

  let arguments: ParsedArguments

  func run(_ run: ToolRun) throws -> ExitCode {
    let plan = try ReplayPlan(arguments, run)
    let search = SessionExploration.Search(arguments)
    let out = try OutputHistory.ifNamed(arguments, doing: "Exploring")
    var report = VerdictReport(
      SessionExploration.words, verb: "explore", arguments, run,
      delivery: try Delivery(OutputChoice(path: nil, of: arguments), run.console))
    var found = FoundOrders(isForEach: search.options.isForEachRule)
    let statuses = try run.overFiles(arguments.words) { history in
      let sessions = try plan.sessions(of: history)
      guard !sessions.isEmpty else {
        throw Failure.noSession(in: history, doing: "Exploring", asked: "an order breaks a rule")
      }
      let explorations = try sessions.map {
        try SessionExploration($0, of: history, plan: plan, search, progress: run.progress)
      }
      for exploration in explorations { found.take(exploration) }
      try report.add(explorations)
      return .worst(of: explorations.map(\.status))
    }
    try report.finish()
    if let out { try found.write(into: out, run) }
    return .worst(of: statuses)
  }
}

extension SessionExploration.Search {
  /// The options of the command line.
  fileprivate init(_ arguments: ParsedArguments) {
    var options = Explorer.Options()
    (options.mostSteps, options.mostBytes, options.time) = arguments.limits
    options.codes = arguments.rules
    options.isForEachRule = arguments.has("each")
    self.init(options: options, mayBeSilent: arguments.has("never"))
  }
}

/// The orders that searches have found and that are written into one history: the shortest of all,
/// or each.
private struct FoundOrders {
  private let isForEach: Bool
  private var chosen: [SessionExploration] = []
  private var searched = 0

  /// - Parameter isForEach: whether each search was for an order for each rule.
  init(isForEach: Bool) {
    self.isForEach = isForEach
  }

  mutating func take(_ exploration: SessionExploration) {
    searched += 1
    guard let steps = exploration.result.schedule?.count, !exploration.played.isEmpty else {
      return
    }
    if isForEach { return chosen.append(exploration) }
    if steps < chosen.first?.result.schedule?.count ?? .max { chosen = [exploration] }
  }

  /// Writes the orders, and reports which sessions they belong to if there are several.
  func write(into out: OutputHistory, _ run: ToolRun) throws {
    let path = out.path.visible
    guard let shortest = chosen.first else {
      return run.note("Note: no order that breaks a rule was found, so '\(path)' is not written.")
    }
    var written: Set<String> = []
    var last: Int64 = 0
    for played in chosen.flatMap(\.played) {
      // Two sessions may have the same order.
      guard written.insert(played.sessionName()).inserted else { continue }
      last = try played.write(out.writer, after: last)
    }
    try out.close()
    if written.count > 1 {
      run.note("Note: '\(path)' holds \(Decimal.count(written.count, "order")), a session each.")
    } else if searched > 1 {
      run.note(
        "Note: '\(path)' is the shortest order that was found, that of "
          + "\(shortest.history.called), session \(shortest.session.id).")
    }
  }
}
