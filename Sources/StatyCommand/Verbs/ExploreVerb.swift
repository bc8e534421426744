import StatyHistory
import StatyReplay
import StatyRules

/// `staty explore`: searches every possible order of a recording.
struct ExploreVerb: Verb {
  static let isJudge = true
  static let spec = VerbSpec(
    name: "explore",
    abstract: "Show how else the same input can end, and which order decides.",
    discussion: """
      The usual order is that of a patient user: everything settles before the next action. Then \
      orders are tried that deviate from it: an answer, a report of a state or a deferred step is \
      late, or the user hurries; first with one deviation, then with two. How they end is compared: \
      what each track shows (values where they are Hashable, names else), what is on each stage and \
      what waits. What the user did keeps its order, and so do the answers to one message.

      Every order is also searched for one that breaks a rule: requests of one place in the code keep \
      their order, a state answers at any later moment, and what happened inside a call happens \
      there again. The first order found is a shortest one and ends the search; with '--each' it \
      goes on for a shortest order of each rule. A single policy with at most 64 requests is \
      searched state by state. Anything else is run from the beginning again and again; '--until' \
      keeps that short.

      Only bugs of the controller count. That a state never answers does not, unless '--rule' \
      names 'never-arrived' or 'never-exited': then it counts if other requests wait for it.

      The verdict is SAME if all orders end in one way and none breaks a rule, DIFFERS if they end \
      in several ways, BROKEN if one breaks a rule, and INCONCLUSIVE if something is in doubt, \
      nothing was judged, or not every order with one deviation could be run. It exits with 0, 0 \
      (with '--strict' 1), 1 and 2.
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
        "Search for this rule alone, such as 'overlap'. Default: all errors, 'late-answer', "
          + "'double-push' and 'mirror'."),
      .valued(
        "deviations", "n", in: 1...8,
        "How many deviations from the usual order are tried. Default: "
          + "\(Explorer.Options().mostDeviations)."),
      .valued(
        "allow", "number|file",
        "The outcome with this number is right, too: kept in a file next to the history, '.outcomes', "
          + "which is read from then on. Another outcome is BROKEN then. Or the name of such a file."
      ).repeatable,
      .flag("strict", "Exit with 1 if the outcomes differ."),
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
      let words = arguments.texts("allow")
      let numbers = words.compactMap { Int($0) }
      let named = words.first { Int($0) == nil }
      var allowed = try AllowedOutcomes(
        beside: history.path, named: named, isWritten: !numbers.isEmpty)
      if !numbers.isEmpty, sessions.count > 1 {
        throw Failure(
          status: .usage, message: "'\(history.path)' has several sessions, each with outcomes.",
          advice: "Choose one with '--session'.")
      }
      let explorations = try sessions.map { session in
        // A file that is named is of other recordings, too.
        let heading = named == nil ? AllowedOutcomes.heading(of: session, plan) : ""
        var search = search
        search.options.allowed = allowed.texts(of: heading)
        var exploration = try SessionExploration(
          session, of: history, plan: plan, search, progress: run.progress)
        exploration.allowedIn = allowed.path
        if !numbers.isEmpty, exploration.result.doubts.isEmpty {
          try allowed.allow(numbers, of: exploration.result, heading)
          exploration.allow(allowed.texts(of: heading) ?? [])
          run.note(
            "Note: '\(allowed.path.visible)' says from now on that this is right. Delete it to be asked again."
          )
        } else if !numbers.isEmpty {
          run.note("Note: nothing was allowed, because something is in doubt.")
        }
        return exploration
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
    if let most = arguments.number("deviations") { options.mostDeviations = Int(most) }
    self.init(
      options: options, mayBeSilent: arguments.has("never"), isStrict: arguments.has("strict"))
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
