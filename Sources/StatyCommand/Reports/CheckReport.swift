import StatyHistory
import StatyRules

/// What checks of many sessions come to, told as they are done.
struct CheckReport {
  /// What was found in all of them.
  struct Sum {
    var errors = 0
    var warnings = 0
    var sessions = 0
    var events: Int64 = 0
  }

  private(set) var sum = Sum()
  private let format: RowFormat?
  private let limit: Int
  private let run: ToolRun
  private let delivery: Delivery
  private var explained = 0
  private var rows: RowStream
  private var json: [JSONValue] = []

  /// - Parameters:
  ///   - format: as rows, or, if none, as a report for people.
  ///   - limit: how many findings the report for people explains.
  init(format: RowFormat?, limit: Int, run: ToolRun, delivery: Delivery) {
    self.format = format
    self.limit = limit
    self.run = run
    self.delivery = delivery
    rows = RowStream(FindingReport.columns, format ?? .table, run: run, to: delivery)
  }

  /// Takes in what the check of a session gave.
  mutating func add(
    _ result: HistoryCheck.Result, of session: SessionRecord, in history: OpenHistory,
    where means: (ControllerRecord?) -> Bool
  ) throws {
    let words = try EventWords(history.reader, session: session.id)
    let findings = result.findings.filter { means(words.controllers[$0.controller]) }
    let silent = result.silent.filter { means(words.controllers[$0.controller]) }
    sum.sessions += 1
    sum.events &+= session.stored
    for finding in findings {
      if finding.severity == .error { sum.errors += 1 } else { sum.warnings += 1 }
      try tell(FindingReport(finding, in: history, words: words))
    }
    noteSilence(silent, session, history, words)
    guard format == .json else { return }
    json.append(
      .object([
        "file": .text(history.path), "session": .whole(session.id), "uuid": .text(session.uuid),
        "events": .whole(session.stored),
        "findings": .list(
          try findings.map { try FindingReport($0, in: history, words: words).json() }),
        "silent": .list(silent.map { Self.json($0, words) }),
      ]))
  }

  private mutating func tell(_ report: FindingReport) throws {
    switch format {
    case nil:
      if explained < limit {
        try delivery.write(report.text(width: run.console.width, style: run.style))
      }
      explained += 1
    case .json: break
    default: try rows.add(report.cells)
    }
  }

  /// Rules that could not judge are told of, or silence would look like praise.
  private func noteSilence(
    _ silent: [HistoryCheck.SilentRule], _ session: SessionRecord, _ history: OpenHistory,
    _ words: EventWords
  ) {
    let groups = Dictionary(grouping: silent) { $0.controller }
    for (controller, rules) in groups.sorted(by: { $0.key < $1.key }) {
      let names = rules.map(\.code.rawValue).joined(separator: ", ")
      let note =
        "Note: \(history.called), session \(session.id): \(Decimal.count(rules.count, "rule")) "
        + "could not judge \(words.controller(controller)): \(names). \(rules[0].reason)"
      run.note(TextWrap.lines(note, width: run.console.width).joined(separator: "\n  "))
    }
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

  /// Tells what was kept for the end, and the sum, unless nothing could be looked at.
  mutating func finish() throws {
    switch format {
    case nil:
      if explained > limit {
        try delivery.write(
          "\(Decimal.count(explained - limit, "more finding")), not explained; "
            + "'--limit 0' explains all.\n\n")
      }
      if !run.isQuiet, sum.sessions > 0 { try delivery.write(sumLine + "\n") }
    case .json: try delivery.write(object.pretty)
    default:
      try rows.finish()
      if rows.count == 0, sum.sessions > 0 { run.note(sumLine) }
    }
    try delivery.finish()
  }

  private var sumLine: String {
    let what =
      sum.errors + sum.warnings == 0
      ? run.style.good("No rule is broken")
      : Decimal.count(sum.errors, "error") + ", " + Decimal.count(sum.warnings, "warning")
    return what + " in \(Decimal.count(sum.sessions, "session")), "
      + "\(Decimal.count(sum.events, "event"))."
  }

  private var object: JSONValue {
    .object([
      "sessions": .list(json), "errors": .whole(sum.errors),
      "warnings": .whole(sum.warnings),
    ])
  }
}
