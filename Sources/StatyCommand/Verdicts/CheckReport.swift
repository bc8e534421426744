import StatyHistory
import StatyReading
import StatyReplay
import StatyRules

/// The report of checks, printed while sessions are checked.
struct CheckReport {
  /// The totals of all sessions.
  struct Sum {
    fileprivate(set) var counts: [Severity: Int] = [:]
    var errors: Int { counts[.error, default: 0] }
    var warnings: Int { counts[.warning, default: 0] }
    /// What is worth a look and may be right.
    var notes: Int { counts[.note, default: 0] }
    var sessions = 0
    /// In how many of them something happened that a rule could judge.
    var judged = 0
    var events: Int64 = 0
    var damagedSessions = 0
    /// The number of missing events, which could not be checked.
    var lost: Int64 = 0

    /// Whether everything that was recorded could be checked.
    var isWhole: Bool { damagedSessions == 0 && lost == 0 }

    /// Whether there was nothing to judge: a praise would say more than is known.
    var isIdle: Bool { sessions > 0 && judged == 0 && errors + warnings + notes == 0 }
  }

  /// The form of a finding.
  enum Form {
    /// A full explanation.
    case explanations
    /// One line each.
    case lines
    case rows(RowFormat)
  }

  private(set) var sum = Sum()
  /// The same as JUnit XML, if that is wanted.
  private(set) var junit: CheckJUnit?
  private var own: [JSONValue] = []
  private var unchecked: [JSONValue] = []
  private let form: Form
  private let format: RowFormat?
  private let limit: Int
  private let hasOwnRules: Bool
  private let run: ToolRun
  private let delivery: Delivery
  private var explained = 0
  /// What to try next, and how severe the finding is that it is about.
  private var next: (step: NextSteps.Step, severity: Severity)?
  private var rows: RowStream
  private var json: [JSONValue] = []

  /// - Parameters:
  ///   - limit: how many findings are explained.
  ///   - hasOwnRules: whether rules of the user's judge every session, too.
  ///   - junit: collects everything as JUnit XML, if that is wanted.
  init(
    _ form: Form, limit: Int, hasOwnRules: Bool, junit: CheckJUnit?, run: ToolRun,
    delivery: Delivery
  ) {
    self.form = form
    format = if case .rows(let format) = form { format } else { nil }
    self.junit = junit
    self.limit = limit
    self.hasOwnRules = hasOwnRules
    self.run = run
    self.delivery = delivery
    rows = RowStream(RowTable(FoundPlace.columns), format ?? .table, run: run, to: delivery)
  }

  /// Adds the check of a session.
  mutating func add(
    _ result: HistoryCheck.Result, of session: SessionRecord, in history: OpenHistory,
    _ choice: SessionChoice, without excluded: [String]
  ) throws {
    let words = try EventWords(history.reader, session: session.id)
    func means(_ code: RuleCode, _ controller: Int32) -> Bool {
      choice.means(words.controllers[controller]) && !excluded.contains(code.rawValue)
    }
    let findings = result.findings.filter { means($0.code, $0.controller) }
    let notes = result.notes.filter { means($0.code, $0.controller) }
    let silent = result.silent.filter { means($0.code, $0.controller) }
    let loss = LossNote(result.losses)
    let isJudged = hasOwnRules || result.judged.contains { choice.means(words.controllers[$0]) }
    sum.sessions += 1
    if isJudged { sum.judged += 1 }
    junit?.add(session: session.id, of: history.path, loss, isJudged: isJudged)
    sum.events &+= session.stored
    sum.lost &+= loss?.count ?? 0
    for finding in findings {
      sum.counts[finding.severity, default: 0] += 1
      ask(about: finding, session, history, words)
      try tell(FindingReport(finding, in: history, words: words))
    }
    if let first = notes.first { ask(about: first, session, history, words) }
    sum.counts[.note, default: 0] += notes.count
    try tell(notes.map { FindingReport($0, in: history, words: words) })
    noteSilence(silent, session, history, words)
    if let loss { note(loss.sentence, session, history) }
    for cut in result.cut where means(.lateAnswer, cut.controller) {
      note(
        "\(Decimal.count(cut.count, "message")) of '\(words.controller(cut.controller))' had values that were "
          + "too long (event \(cut.first)), and a replay cannot tell what was cut. Record identifiers in place "
          + "of items, or more with 'RecorderOptions.mostPayloadBytes'.", session, history)
    }
    guard format == .json else { return }
    json.append(
      .object([
        "file": .text(history.path), "session": .whole(session.id), "uuid": .text(session.uuid),
        "events": .whole(session.stored), "judged": .bool(isJudged),
        "findings": .list(
          try (findings + notes).map { try FindingReport($0, in: history, words: words).json() }),
        "silent": .list(silent.map { Self.json($0, words) }),
        "losses": .list(result.losses.map(LossNote.json)),
      ]))
  }

  /// Counts what was checked of a session that is still recorded.
  ///
  /// - Parameter isJudged: whether something was judged in it for the first time.
  mutating func addFollowed(session isNew: Bool = false, events: Int64 = 0, isJudged: Bool = false)
  {
    sum.sessions += isNew ? 1 : 0
    if isJudged { sum.judged += 1 }
    sum.events &+= events
  }

  /// Adds a finding of a session that is still recorded, and prints it at once.
  mutating func add(_ finding: Finding, in history: OpenHistory, words: EventWords) throws {
    sum.counts[finding.severity, default: 0] += 1
    try tell(FindingReport(finding, in: history, words: words))
    try rows.settle()
  }

  /// Adds a finding of a user's rule.
  mutating func add(_ place: FoundPlace) throws {
    sum.counts[place.severity, default: 0] += 1
    if format == .json { own.append(place.json) }
    let run = run
    try tell(place) { place.text(width: run.console.width, style: run.style) }
  }

  private mutating func tell(_ report: FindingReport) throws {
    let run = run
    try tell(report.place()) { try report.text(width: run.console.width, style: run.style) }
  }

  /// How many notes of a session are printed among explanations.
  private static let mostNotes = 3

  /// Notes are printed in short: they may all be right.
  private mutating func tell(_ notes: [FindingReport]) throws {
    guard case .explanations = form, !notes.isEmpty, limit > 0 else {
      for note in notes { try tell(note) }
      return
    }
    let (width, style) = (run.console.width, run.style)
    for note in notes { junit?.add(try note.place()) }
    var lines = try notes.prefix(Self.mostNotes).flatMap { try $0.short(width, style) }
    let rest = notes.count - Self.mostNotes
    if rest > 0 {
      lines += TextWrap.lines(
        "\(Decimal.count(rest, "more note")); '--oneline' lists all.", width: width)
    }
    try delivery.write(lines.joined(separator: "\n") + "\n\n")
  }

  private mutating func tell(_ place: FoundPlace, _ explanation: () throws -> String) throws {
    junit?.add(place)
    switch form {
    case .explanations:
      if explained < limit { try delivery.write(explanation()) }
      explained += 1
    case .lines: try delivery.write(place.line(run.style))
    case .rows(.json): break
    case .rows: try rows.add(place.cells)
    }
  }

  /// Adds a file, or a session of one, that could not be checked.
  mutating func add(_ failure: Failure, path: String, session: Int64? = nil) {
    if session != nil { sum.damagedSessions += 1 }
    junit?.add(failure, path: path, session: session)
    guard format == .json else { return }
    unchecked.append(
      .object([
        "file": .text(path), "session": session.map { .whole($0) } ?? .null,
        "problem": .text(failure.message),
      ]))
  }

  /// Reports rules that could not judge: without that, they would seem to have passed.
  private func noteSilence(
    _ silent: [HistoryCheck.SilentRule], _ session: SessionRecord, _ history: OpenHistory,
    _ words: EventWords
  ) {
    for group in SilentGroup.groups(of: silent) {
      let rules = group.rules.map(\.code.rawValue)
      let sentence =
        "\(Decimal.count(rules.count, "rule")) did not judge \(group.called(words.controller)): "
        + "\(rules.joined(separator: ", ")). \(group.rules[0].reason)"
      note(sentence, session, history)
    }
  }

  private func note(_ sentence: String, _ session: SessionRecord, _ history: OpenHistory) {
    run.note("Note: \(history.called), session \(session.id): \(sentence)")
  }

  private static func json(
    _ rule: HistoryCheck.SilentRule, _ words: EventWords
  ) -> JSONValue {
    .object([
      "code": .text(rule.code.rawValue),
      "controller": .text(words.controllers[rule.controller]?.name),
      "reason": .text(rule.reason),
    ])
  }

  /// Prints what was kept for the end, and the totals, unless nothing could be read.
  mutating func finish() throws {
    switch form {
    case .explanations, .lines:
      if explained > limit {
        try delivery.write(
          sections.sum(
            "\(Decimal.count(explained - limit, "more finding")), not explained; "
              + "'--limit 0' explains all.") + "\n")
      }
      guard !run.isQuiet, sum.sessions > 0 || sum.damagedSessions > 0 else { break }
      // No sentence may appear among lines for programs.
      if case .lines = form {
        run.note(sumLine)
      } else {
        try delivery.write(
          sections.sum(sumLine, praise: sum.isWhole ? Self.praise : ""))
        if let next {
          let more = sum.errors + sum.warnings > 1 ? "; for another finding, name its event:" : ":"
          let step = NextSteps.Step(text: next.step.text + more, command: next.step.command)
          try delivery.write("\n" + sections.steps([step]))
        }
      }
    case .rows(.json): try delivery.write(object.pretty)
    case .rows:
      try rows.finish()
      if rows.count == 0, sum.sessions > 0 { run.note(sumLine) }
    }
    try delivery.finish()
  }

  /// Suggests to ask for the cause of the first error, or of the first warning or note if there is none.
  private mutating func ask(
    about finding: Finding, _ session: SessionRecord, _ history: OpenHistory, _ words: EventWords
  ) {
    if let known = next?.severity,
      known == .error || known == finding.severity || finding.severity == .note
    {
      return
    }
    // What is not made cannot be played in another order.
    let kind = words.controllers[finding.controller]?.kind
    let isPlayed = finding.code != .mirror && kind.map(run.registry.contains) ?? false
    let words = [
      run.tool, "why", "--session", "\(session.id)", ShellWords.quoted(history.path),
      "\(finding.seq)",
    ]
    let step = NextSteps.Step(
      text: "What led to event \(finding.seq)"
        + (isPlayed ? ", and the nearest order without it" : ""),
      command: words.joined(separator: " "))
    next = (step, finding.severity)
  }

  private var sections: TextSections { TextSections(width: run.console.width, style: run.style) }

  private static let praise = "No rule is broken"

  private var sumLine: String {
    let damaged = Decimal.count(sum.damagedSessions, "session")
    if sum.sessions == 0 { return "Nothing was judged; \(damaged) could not be checked." }
    if sum.isIdle {
      return "Nothing was judged: no request, message or move was recorded of what was checked in "
        + "\(Decimal.count(sum.sessions, "session")). Attach the recorder before the first of them."
    }
    let isClean = sum.errors + sum.warnings == 0
    let what =
      isClean
      ? Self.praise
      : Decimal.count(sum.errors, "error") + ", " + Decimal.count(sum.warnings, "warning")
    let notes = sum.notes == 0 ? "" : ", \(Decimal.count(sum.notes, "note"))"
    let unjudged = sum.sessions - sum.judged
    return what + notes + " in \(Decimal.count(sum.sessions, "session")), "
      + "\(Decimal.count(sum.events, "event"))"
      + (isClean && unjudged > 0
        ? "; nothing was judged in \(Decimal.count(unjudged, "session"))" : "")
      + (sum.lost == 0 ? "" : "; \(LossNote.missing(sum.lost)) and could not be judged")
      + (sum.damagedSessions == 0 ? "." : "; \(damaged) could not be checked.")
  }

  private var object: JSONValue {
    .object([
      "sessions": .list(json), "own_rules": .list(own), "errors": .whole(sum.errors),
      "warnings": .whole(sum.warnings), "notes": .whole(sum.notes), "lost": .whole(sum.lost),
      "unchecked": .list(unchecked),
    ])
  }
}

/// Controllers of a session that the same rules could not judge.
struct SilentGroup {
  let controllers: [Int32]
  let rules: [HistoryCheck.SilentRule]

  /// How many of them are named.
  private static let named = 3

  /// The groups, each with its controllers in the order of their numbers.
  static func groups(of silent: [HistoryCheck.SilentRule]) -> [SilentGroup] {
    let rules = Dictionary(grouping: silent) { $0.controller }
    let alike = Dictionary(grouping: rules.keys) { rules[$0, default: []].map(\.code) }
    return alike.values.map { controllers in
      let sorted = controllers.sorted()
      return SilentGroup(controllers: sorted, rules: rules[sorted[0], default: []])
    }.sorted { $0.controllers[0] < $1.controllers[0] }
  }

  /// The names of the controllers in messages.
  func called(_ name: (Int32) -> String) -> String {
    let first = controllers.prefix(Self.named).map(name).joined(separator: ", ")
    let others = controllers.count - Self.named
    if others <= 0 { return first }
    return first + " and \(Decimal.count(others, "other controller"))"
  }
}
