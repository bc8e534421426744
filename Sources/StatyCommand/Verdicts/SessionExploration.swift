import Staty
import StatyHistory
import StatyReplay
import StatyReport
import StatyRules
import StatyText

/// The search of every order of one session.
struct SessionExploration {
  /// The goal and the limits of a search.
  struct Search: Sendable {
    var options: Explorer.Options
    /// Whether a state that answers later may also not answer.
    var mayBeSilent: Bool
    /// Whether outcomes that differ count as an error.
    var isStrict: Bool
    /// Whether only names are told, and no values.
    var hidesValues = false
  }

  let subject: PlayedSession
  private let search: Search
  /// The file that says which outcomes are right, if there is one.
  var allowedIn: String?
  private(set) var result: Exploration
  /// The found orders, played to their ends.
  let played: [ScheduleRun]
  private let orders: [PlayedSchedule]
  /// The usual run and the first that ends otherwise, for each group with several outcomes.
  private let different: [(words: OutcomeWords, runs: [ScheduleRun])]
  private var outcomes: [OutcomeWords]

  init(
    _ session: SessionRecord, of history: OpenHistory, plan: ReplayPlan, _ search: Search,
    progress: ProgressLine
  ) throws {
    let subject = try PlayedSession(session, of: history, plan)
    self.subject = subject
    self.search = search
    (result, played, different) = try history.saying("Exploring") { reader in
      let registry = plan.registry
      let scenario = try Scenario(
        reader, session: session.id, through: plan.last, only: subject.meant,
        registry: registry, with: subject.replacement)
      let explorer = try Explorer(
        search.mayBeSilent ? scenario.allowingSilence : scenario, registry: registry,
        options: search.options)
      var result = try explorer.run {
        let (states, depth) = ($0.states, $0.depth)
        progress.tell(
          "Searched \(Decimal.count(states, "state")), \(Decimal.count(depth, "step")) deep")
      }
      if search.hidesValues { result.hideValues() }
      let different = try result.outcomes.filter(\.isDifferent).map { part in
        (words: OutcomeWords(part), runs: try part.outcomes.prefix(2).compactMap(explorer.run(of:)))
      }
      return (result, try result.orders.compactMap(explorer.run(of:)), different)
    }
    let isOnly = result.outcomes.count == 1
    outcomes = result.outcomes.map { OutcomeWords($0, isOnly: isOnly) }
    orders = zip(played, result.orders).map {
      PlayedSchedule($0, $1.schedule, isAtEnd: $1.isAtEnd, $1.findings, for: $1.codes)
    }
  }
}

extension SessionExploration {
  /// Judges the outcomes anew.
  ///
  /// - Parameter texts: the texts of those that are right.
  mutating func allow(_ texts: [String]) {
    result.allow(texts)
    let isOnly = result.outcomes.count == 1
    outcomes = result.outcomes.map { OutcomeWords($0, isOnly: isOnly) }
  }
}

extension SessionExploration: Verdict {
  static let deed = "searched"
  static let words = Exploration.Verdict.allCases.map(\.rawValue)

  var word: String { result.verdict.rawValue }

  var status: ExitCode {
    switch result.verdict {
    case .same: .done
    case .differs: search.isStrict ? .broken : .done
    case .broken: .broken
    case .inconclusive: .inconclusive
    }
  }

  var sentence: String {
    switch result.verdict {
    case .same:
      let ends = outcomes.flatMap(\.texts).joined(separator: "; ")
      let cut = result.cut.map { "; \(reason($0))" } ?? ""
      let isOne = !result.outcomes.contains(where: \.isDifferent)
      let way =
        isOne
        ? "the same"
        : "in a way that " + (allowedIn.map { "'\($0.visible)' allows" } ?? "is allowed")
      return "\(scope) ends \(way): \(ends). No order that was searched breaks \(rule)\(cut)."
        + (result.scenario.parting.map {
          " But what is played parts from the recording at event \($0)."
        } ?? "")
    case .differs:
      return zip(result.outcomes, outcomes).filter(\.0.isDifferent).map(\.1.question)
        .joined(separator: " ")
    case .broken where result.orders.isEmpty:
      let wrong = result.disallowed.map { "'\($0.text)'" }
      return "it can end in a way that is not allowed: \(wrong.joined(separator: ", "))."
    case .broken: return brokenRules
    case .inconclusive:
      if let doubt = result.doubts.first, !result.orders.isEmpty {
        return "\(sentence(doubt)) An order was found that breaks \(brokenRules)"
      }
      if result.doubts.isEmpty, result.isOpen, result.cut == nil {
        return
          "not every order with one deviation from the usual one was run, so it is not known how "
          + "else it can end: '--time' gives more. No order that was searched breaks \(rule)."
      }
      if result.isByName {
        return
          "values beyond their names could not be compared, so it is not known whether it always ends in the "
          + "same way. No order that was searched breaks \(rule)."
      }
      if let cut = result.cut {
        return "no order that was searched breaks \(rule); \(reason(cut))."
      }
      if result.isIdle, result.doubts.isEmpty {
        return "nothing changed in any order, and nothing is shown, so there is nothing to judge."
      }
      return result.doubts.first.map(sentence)
        ?? "nothing is requested in it, so there is no order to search."
    }
  }

  /// Of which orders it is known how they end.
  private var scope: String {
    let parts = result.outcomes
    var restrictions: [String] = []
    for clause in outcomes.flatMap(\.restrictions) where !restrictions.contains(clause) {
      restrictions.append(clause)
    }
    let which =
      restrictions.isEmpty ? "" : " in which \(restrictions.joined(separator: " and "))"
    if parts.allSatisfy({ $0.orders == 1 && $0.isExhaustive }) {
      return restrictions.isEmpty ? "the only possible order" : "the only order" + which
    }
    guard let most = parts.filter({ !$0.isExhaustive }).map(\.complete).min() else {
      return "every order" + which
    }
    return "every order with at most \(Decimal.count(most, "deviation")) from the usual one" + which
  }

  /// The rules that the found orders break.
  private var brokenRules: String {
    let found = result.orders
    guard let first = found.first, let finding = first.findings.first, let order = orders.first
    else { return "" }
    guard found.count > 1 else { return "\(summary(first)): \(finding.sentence(order.words))" }
    let codes = found.reduce(0) { $0 + $1.codes.count }
    return "\(Decimal.count(codes, "rule")): " + found.map(summary).joined(separator: "; ") + "."
  }

  /// The rules that were searched for, in words.
  private var rule: String {
    let codes = (search.options.codes ?? []).map { "'\($0.rawValue)'" }.sorted()
    return codes.isEmpty ? "a rule" : codes.joined(separator: " or ")
  }

  /// The rules that no shorter order breaks, and the length of the order.
  private func summary(_ order: Exploration.Order) -> String {
    var codes: [String] = []
    for finding in order.findings where order.codes.contains(finding.code) {
      if !codes.contains(finding.code.rawValue) { codes.append(finding.code.rawValue) }
    }
    return codes.listed
      + " after \(Decimal.count(order.schedule.count, "step"))"
      + (order.isAtEnd ? ", when nothing more comes" : "")
  }

  private func reason(_ cut: Exploration.Cut) -> String {
    switch cut {
    case .steps: "there are longer ones than '--max-steps' allows"
    case .runs: "there are more than \(Decimal.grouped(Int64(search.options.mostRuns)))"
    case .states: "there are more than \(Decimal.grouped(Int64(search.options.mostStates))) states"
    case .memory: "more has to be kept than '--memory' allows"
    case .time: "the time was over before the end"
    }
  }

  func sections(_ page: TextSections) -> [String] {
    // A single doubt is the verdict already.
    let doubts = result.doubts.map(sentence).filter { $0 != sentence }
    var sections: [String] = []
    var number = 1
    for (part, words) in zip(result.outcomes, outcomes) {
      if part.isDifferent || !result.disallowed.isEmpty {
        sections.append(page.section("Outcomes", words.numbered(from: number)))
      }
      number += part.outcomes.count
    }
    for one in different { sections += pictures(one.words, one.runs, page) }
    for (order, played) in zip(result.orders, orders) {
      let title = orders.count > 1 ? "The order: \(summary(order))" : "The order"
      sections += played.sections(page, title: title)
    }
    let doubtful = page.section("In doubt", doubts, most: 12)
    return sections + [doubtful, page.section("Searched", extents), page.steps(next)]
  }

  /// What to do about doubts, about a broken rule, or about outcomes that differ.
  private var next: [NextSteps.Step] {
    if result.verdict == .inconclusive {
      var steps: [NextSteps.Step] = []
      for doubt in result.doubts where steps.count < 3 {
        var step = NextSteps.Step(text: doubt.advice)
        if case .unknownController(let id, _) = doubt {
          step = NextSteps.toMake(
            subject.controllers.first { $0.id == id }, subject.history.path)
        }
        if !steps.contains(step) { steps.append(step) }
      }
      return steps
    }
    let path = ShellWords.quoted(subject.history.path)
    if result.verdict == .broken, !result.orders.isEmpty {
      let order = subject.session.id == 1 ? "order.sqlite" : "order-\(subject.session.id).sqlite"
      let recording = NextSteps.Step(
        text: "The order as a recording:",
        command: (command + ["-o", order, path]).joined(separator: " "))
      let codes = result.orders.first?.codes ?? []
      // In a test, every state answers.
      guard
        let finding = result.orders.first?.findings.first(where: { codes.contains($0.code) }),
        finding.code.isSought, ![.neverArrived, .neverExited].contains(finding.code)
      else { return [recording] }
      let kind = result.scenario.controllers.first { $0.id == finding.controller }?.kind
      let maker = TestSubject.Maker(of: kind ?? "")
      let test =
        [subject.plan.tool, "test", "--rule", finding.code.rawValue] + maker.words + [order]
      return [
        recording,
        .init(
          text: "And of that a test, which fails until it is fixed\(maker.note):",
          command: test.joined(separator: " ")),
      ]
    }
    guard result.verdict == .differs else { return [] }
    let number = unusual
    let which = number == 2 ? "the second" : "outcome \(number)"
    let test = NextSteps.Step(
      text:
        "If \(which) is wrong: a test that fails until it is fixed, with the recording in the folder "
        + "'Histories' next to it, and a registry '.app' that makes the model (see \(Guide.replayingMessages)):",
      command: NextSteps.testLine(subject.history.path))
    // Outcomes of one text are not told apart.
    let isNamed = result.outcomes.flatMap(\.outcomes).enumerated().allSatisfy { place, outcome in
      outcome.hasOwnText || !outcome.isUsual && place + 1 != number
    }
    if !isNamed { return [test] }
    return [
      test,
      .init(
        text: "If it is right, too: say so, and only another one fails:",
        command: (command + ["--allow", "\(number)", path]).joined(separator: " ")),
    ]
  }

  /// The command line of the same search, without the file.
  private var command: [String] {
    var command = [subject.plan.tool, "explore", "--session", "\(subject.session.id)"]
    for kind in subject.plan.kinds.texts { command += ShellWords.option("--with", kind) }
    if let last = subject.plan.last { command += ["--until", "\(last)"] }
    for name in subject.plan.choice.controllers {
      command += ShellWords.option("--controller", name)
    }
    for code in (search.options.codes ?? []).map(\.rawValue).sorted() {
      command += ["--rule", code]
    }
    // With other orders the outcome may have another number.
    if search.mayBeSilent { command.append("--never") }
    let most = search.options.mostDeviations
    if most != Explorer.Options().mostDeviations { command += ["--deviations", "\(most)"] }
    return command
  }

  /// The number of the first outcome that is not the usual one, where there are several.
  private var unusual: Int {
    var number = 0
    for group in result.outcomes {
      for outcome in group.outcomes {
        number += 1
        if group.isDifferent, !outcome.isUsual { return number }
      }
    }
    return 2
  }

  /// The usual run, and the first that ends otherwise, with the first event that differs marked.
  private func pictures(
    _ words: OutcomeWords, _ runs: [ScheduleRun], _ page: TextSections
  ) -> [String] {
    guard let difference = Difference(runs) else { return [] }
    return zip(runs, words.titles).map { run, title in
      page.picture(title, run.events, marked: difference.seq, EventWords(run))
    }
  }

  /// How far the search went, for each independent group of controllers, and what it left out.
  private var extents: [String] {
    // What is not registered was not searched.
    if result.scenario.controllers.isEmpty { return [] }
    let parts =
      result.parts.isEmpty
      ? [extent(result)]
      : result.parts.map { part in
        part.scenario.controllers.map(\.name.visible).joined(separator: ", ") + ": " + extent(part)
      }
    let ends = outcomes.map { "For outcomes: \($0.extent)." } + outcomes.compactMap(\.namesOnly)
    return ends + parts.map { "For rules: \($0)" } + parting + keptRequests + keptMessages + silence
  }

  private func extent(_ part: Exploration) -> String {
    let deep = "up to \(Decimal.count(part.depth, "step")) deep"
    let what =
      part.method == .states
      ? "\(Decimal.count(part.states, "state")) with "
        + "\(Decimal.count(part.transitions, "step")) between them, "
      : "\(Decimal.count(part.transitions, "run")), "
        + (part.pruned > 0
          ? "\(Decimal.grouped(Int64(part.pruned))) left out as they come to the same, " : "")
    return what + deep + ", in \(Decimal.megabytes(part.bytes))" + end(part)
  }

  private func end(_ part: Exploration) -> String {
    if part.isComplete { return ", to the end." }
    if let cut = part.cut, !isEnough(part) { return "; \(reason(cut))." }
    return result.isShortest ? "; none with fewer steps breaks \(rule)." : "."
  }

  /// Whether a part was cut because another part has a shorter order than it could still find.
  private func isEnough(_ part: Exploration) -> Bool {
    guard let steps = result.schedule?.count, !search.options.isForEachRule else { return false }
    return part.cut == .steps && part.depth >= steps - 1
  }

  /// A note that what was searched is not what was recorded.
  private var parting: [String] {
    guard let seq = result.scenario.parting else { return [] }
    let isOwn = result.scenario.controllers.contains { subject.plan.registry.makesOwn($0.kind) }
    return [
      "Played as it was recorded, it parts from the recording at event \(seq): what is said here is "
        + "about the controller as this tool makes it."
        + (isOwn ? " " + NextSteps.whatIsMissing : "")
    ]
  }

  /// A note that requests of one place in the code keep their order.
  private var keptRequests: [String] {
    var requests: [Int: Int] = [:]
    let made = result.scenario.requests.filter { $0.visit == nil }
    for request in made where request.place == .anytime && request.origin == nil {
      requests[request.source, default: 0] += 1
    }
    let kept = requests.values.filter { $0 > 1 }.reduce(0, +)
    if kept == 0 { return [] }
    return [
      "\(kept) of \(Decimal.count(made.count, "request")) were made at a place "
        + "in the code where others were made; those were tried in their order alone."
    ]
  }

  /// A note that messages without a question keep their order.
  private var keptMessages: [String] {
    let messages = result.scenario.messages
    let kept = messages.filter { $0.origin == nil }.count
    if kept < 2 { return [] }
    return [
      "\(kept) of \(Decimal.count(messages.count, "message")) answer no recorded message and keep "
        + "their order."
    ]
  }

  /// A note that missing answers are not counted, if there may be some.
  private var silence: [String] {
    let isNamed =
      search.options.codes?.contains { [.neverArrived, .neverExited].contains($0) } ?? false
    if isNamed || !result.scenario.mayBeSilent { return [] }
    return [
      "A state may never answer there, which is no bug of a controller: '--rule never-arrived' and "
        + "'--rule never-exited' search for states that let others wait."
    ]
  }

  var facts: KeyValuePairs<String, JSONValue> {
    [
      "method": .text(result.method.rawValue), "complete": .bool(result.isComplete),
      "shortest": .bool(result.isShortest), "cut": .text(result.cut?.rawValue),
      "states": .whole(result.states), "transitions": .whole(result.transitions),
      "pruned": .whole(result.pruned), "depth": .whole(result.depth),
      "megabytes": .whole(Decimal.wholeMegabytes(result.bytes)),
      "parting": result.scenario.parting.map { .whole($0) } ?? .null,
      "orders": .list(orders.map(\.json)),
      "outcomes": .list(zip(result.outcomes, outcomes).map(VerdictJSON.outcomes)),
      "doubts": VerdictJSON.doubts(result.doubts, words),
    ]
  }
}

/// Where two runs part.
private struct Difference {
  /// The number of the first event that differs, or of the last one of the shorter run.
  let seq: Int64
  /// What each has there; `nil` where one only ends earlier.
  let rows: [EventRow]?

  /// - Parameter runs: two runs; there is no difference of fewer.
  init?(_ runs: [ScheduleRun]) {
    guard runs.count == 2 else { return nil }
    let pair = zip(runs[0].events, runs[1].events).first { one, other in
      let isSameKind = one.kind == other.kind && one.visit == other.visit
      return !isSameKind || runs[0].names[one.state] != runs[1].names[other.state]
    }
    rows = pair.map { [$0.0, $0.1] }
    seq = pair?.0.seq ?? Int64(min(runs[0].events.count, runs[1].events.count))
  }
}

// MARK: On a page

extension SessionExploration {
  /// How many events of an order a page shows.
  private static let mostColumns = 60

  /// The outcomes for a page: what `explore` says, and the usual order and the first that ends
  /// otherwise as lanes.
  var page: JSONValue {
    let ways = zip(result.outcomes, outcomes).flatMap { part, words in
      // What cannot be made shows nothing.
      zip(part.outcomes, words.texts).filter { !$1.isEmpty }.map { outcome, text in
        JSONValue.object([
          "shows": .text(text), "when": .text(words.condition(outcome)),
          "isAllowed": .bool(outcome.isAllowed),
        ])
      }
    }
    return .object([
      "verdict": .text(word), "sentence": .text(sentence), "ways": .list(ways),
      "pairs": .list(different.compactMap { Self.pair($0.words, $0.runs) }),
    ])
  }

  private static func pair(_ words: OutcomeWords, _ runs: [ScheduleRun]) -> JSONValue? {
    guard let difference = Difference(runs) else { return nil }
    return .list(
      zip(runs, words.titles).enumerated().map { place, part in
        let (run, title) = part
        let events = EventWords(run)
        var steps = StepWords(run.scenario)
        steps.showsValues = false
        // The page isolates what it shows by itself.
        let strips = LanePicture(run.events, marked: difference.seq) {
          (events.controller($0), events.visit($1, $2))
        }.strips(most: mostColumns)
        let differs = difference.rows.map { rows in
          let row = rows[place]
          return "\(events.controller(row.controller)), \(row.happening) "
            + events.visit(row.visit, row.state)
        }
        return .object([
          "title": .text("\(title): \(words.texts[place])"), "columns": .whole(strips.columns),
          "mark": .whole(strips.mark),
          "lanes": .list(strips.lanes.map { .list([.text($0.label), .text($0.cells)]) }),
          "differs": .text(differs?.trimmed),
          "steps": .list(run.schedule.map { .text(steps.sentence($0)) }),
        ])
      })
  }
}
