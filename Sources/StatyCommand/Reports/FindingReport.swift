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
      "\(finding.severity.rawValue)[\(finding.code.rawValue)]", finding.severity == .error,
      finding.sentence(words), width: width)
    let context = try FindingContext(finding, in: history.reader, followers: 5)
    lines += place(context, width)
    if let context { lines += around(context, width, style) }
    if let hint {
      lines += TextWrap.hanging(hint, after: "   = ", width: width)
    }
    return lines.joined(separator: "\n") + "\n\n"
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

  private func around(_ context: FindingContext, _ width: Int, _ style: Style) -> [String] {
    let before = Array(context.causes.prefix(6).reversed()) + [context.guilty]
    // Consequences tell more than the events that merely follow.
    let because = !context.consequences.isEmpty
    let after = because ? context.consequences : context.followers
    let bar = "   " + style.dim("|") + " "
    let all = before + after + context.instead
    let table = words.lines(all, marked: finding.seq, width: width - 5)
    var lines = [bar + (before.count > 1 ? "what led to it" : "the event")]
    lines += table.prefix(before.count).map { bar + $0 }
    if !after.isEmpty {
      lines.append(bar + (because ? "what followed from it" : "what came next"))
      lines += table[before.count..<before.count + after.count].map { bar + $0 }
    }
    if !context.instead.isEmpty {
      lines.append(bar + "what happened instead")
      lines += table.suffix(context.instead.count).map { bar + $0 }
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
      code: finding.code.rawValue, isError: finding.severity == .error,
      detail: finding.detail { words.names[$0] })
    place.controller = words.controllers[finding.controller]?.name
    place.visit = finding.visit == 0 ? nil : Int64(finding.visit)
    place.state = words.names[finding.state]
    if let cause = try FindingContext(finding, in: history.reader, followers: 0)?.causes.first {
      let visit = words.visit(cause.visit, cause.state)
      place.cause = "event \(cause.seq), \(words.what(cause))" + (visit.isEmpty ? "" : " \(visit)")
    }
    return place
  }
}
