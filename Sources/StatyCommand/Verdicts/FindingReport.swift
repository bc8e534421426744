import Staty
import StatyHistory
import StatyRules

/// The report of one finding: the rule, what went wrong, where, its causes and its consequences.
struct FindingReport {
  private let finding: Finding
  private let history: OpenHistory
  private let words: EventWords

  init(_ finding: Finding, in history: OpenHistory, words: EventWords) {
    self.finding = finding
    self.history = history
    self.words = words
  }

  /// How to declare another discipline, if the finding depends on it.
  private var hint: String? { words.controllers[finding.controller].flatMap(finding.hint)?.visible }

  /// The report, ending with an empty line.
  func text(width: Int, style: Style) throws -> String {
    var lines = style.heading(
      finding.severity, finding.code.rawValue, finding.sentence(words), width: width)
    let context = try FindingContext(finding, in: history.reader, followers: 5)
    lines += place(context, width)
    if let context { lines += try around(context, width, style) }
    if let hint {
      lines += TextWrap.hanging(hint, after: "   = ", width: width)
    }
    return lines.joined(separator: "\n") + "\n\n"
  }

  /// The report in one sentence: where, and what was seen.
  func short(_ width: Int, _ style: Style) throws -> [String] {
    let who = words.controllers[finding.controller].map { "\($0.name.visible), " } ?? ""
    return style.heading(
      finding.severity, finding.code.rawValue,
      "\(who)event \(finding.seq): \(finding.sentence(words))", width: width)
  }

  private func place(_ context: FindingContext?, _ width: Int) -> [String] {
    var parts = [history.called, "session \(finding.session)"]
    if let controller = words.controllers[finding.controller] {
      parts.append("\(controller.name.visible) (\(controller.policy.visible))")
    }
    let moment = context.map { " at \(Decimal.moment($0.guilty.time))" } ?? ""
    parts.append("event \(finding.seq)\(moment)")
    return TextWrap.hanging(parts.joined(separator: ", "), after: "  --> ", width: width)
  }

  private func around(
    _ context: FindingContext, _ width: Int, _ style: Style
  ) throws -> [String] {
    let before = Array(context.causes.prefix(6).reversed()) + [context.guilty]
    // Consequences tell more than the events that merely follow.
    let because = !context.consequences.isEmpty
    let sections = [
      (before.count > 1 ? "what led to it" : "the event", before),
      (
        (context.isNewer ? "the newer message" : "the other question")
          + (context.newer.count > 1 ? " and its answer" : ""),
        context.newer
      ),
      (
        because ? "what followed from it" : "what came next",
        because ? context.consequences : context.followers
      ),
      ("what happened instead", context.instead),
      ("both tracks until then", context.both),
    ]
    let bar = "   " + style.dim("|") + " "
    let rows = sections.flatMap(\.1)
    var table = try words.lines(
      rows, marked: finding.seq, values: history.values(of: rows), width: width - 5)[...]
    var lines: [String] = []
    for (title, rows) in sections where !rows.isEmpty {
      lines.append(bar + title)
      lines += table.prefix(rows.count).map { bar + $0 }
      table = table.dropFirst(rows.count)
    }
    return lines.map(\.trimmed)
  }

  /// The finding as JSON.
  func json() throws -> JSONValue {
    VerdictJSON.finding(
      finding, words, try FindingContext(finding, in: history.reader, followers: 5))
  }

  /// The finding as one line or one row.
  func place() throws -> FoundPlace {
    var place = FoundPlace(
      file: history.path, session: finding.session, seq: finding.seq,
      code: finding.code.rawValue, severity: finding.severity,
      detail: finding.detail(naming: { words.names[$0] }, track: words.track))
    place.controller = words.controllers[finding.controller]?.name
    place.visit = finding.visit == 0 ? nil : Int64(finding.visit)
    place.state = words.names[finding.state]
    if let cause = try FindingContext(finding, in: history.reader, followers: 0)?.causes.first {
      let visit = words.visit(cause.visit, cause.state)
      place.cause = "event \(cause.seq), \(cause.happening)" + (visit.isEmpty ? "" : " \(visit)")
    }
    return place
  }
}
