import StatyHistory
import StatyReplay
import StatyReport

/// The first difference between two sessions, as text and as JSON.
struct DifferenceReport {
  private let sides: [HistorySide]
  private let difference: HistoryDifference
  private let page: TextSections
  private static let letters = ["A", "B"]
  /// How many lines of a kind are printed.
  private static let most = 40

  init(_ difference: HistoryDifference, _ sides: [HistorySide], _ page: TextSections) {
    (self.difference, self.sides, self.page) = (difference, sides, page)
  }

  /// The report as text.
  func text(isQuiet: Bool) throws -> String {
    var text = page.heading(verdict)
    if isQuiet { return difference.verdict == .equal ? "" : text }
    for (letter, side) in zip(Self.letters, sides) {
      let called = "\(side.history.called), session \(side.session.id)"
      text += "  \(letter)  \(DisplayWidth.cut(called, to: page.width - 5))\n"
    }
    if let (key, comparison) = difference.first, let parted = comparison.parted {
      text += "\n" + page.heading("Controller \(key.called), its event \(comparison.common + 1)")
      for (place, event) in parted.enumerated() { text += said(event, place) }
      let first = parted[0] == nil ? 1 : 0
      text += listed(
        "Before it, in both (as in \(Self.letters[first]))",
        try sides[first].rows(of: key, around: parted[first]?.row.seq ?? 0, before: 6, from: 0),
        first)
      for (place, event) in parted.enumerated() {
        guard let event else { continue }
        let rows = try sides[place].rows(of: key, around: event.row.seq, before: 0, from: 6)
        text += listed("After it, in \(Self.letters[place])", Array(rows.dropFirst()), place)
      }
    }
    return text + "\n" + summary
  }

  private var verdict: String {
    switch difference.verdict {
    case .different:
      guard let (key, comparison) = difference.first else {
        return "They have different controllers."
      }
      return "They differ, first at event \(comparison.common + 1) of \(key.called)."
    case .inconclusive:
      let gaps = zip(Self.letters, sides).compactMap { letter, side in
        side.gap.map {
          "in \(letter), \(LossNote.missing($0.count)) at \($0.firstSeq) (\($0.reason.visible))"
        }
      }
      return "Inconclusive: \(gaps.joined(separator: ", and ")); they are the same up to there."
    case .equal:
      let events = difference.comparisons.values.reduce(0) { $0 + $1.common }
      return "No difference: \(Decimal.count(difference.comparisons.count, "controller")), "
        + "\(Decimal.count(events, "event"))."
    }
  }

  private func said(_ event: HistorySide.Event?, _ place: Int) -> String {
    guard let event else { return "  \(Self.letters[place])  nothing more\n" }
    let words = sides[place].words
    let instance = event.instance == 0 ? "" : " (the object of #\(event.instance))"
    let refusal = event.refusal.map { ": \($0.words)" } ?? ""
    let what = "\(event.row.happening) \(words.visit(event.row.visit, event.row.state))".trimmed
    let lines = TextWrap.fitting(
      "\(event.row.seq)  \(Decimal.moment(event.row.time))  \(what)\(instance)\(refusal)",
      width: page.width - 5)
    return lines.enumerated().map {
      ($0.offset == 0 ? "  \(Self.letters[place])  " : "     ") + $0.element + "\n"
    }.joined()
  }

  private func listed(_ title: String, _ rows: [EventRow], _ place: Int) -> String {
    if rows.isEmpty { return "" }
    let lines = sides[place].words.lines(rows, width: page.width - 4)
    return "\n  \(title):\n" + lines.map { "    \($0)\n" }.joined()
  }

  private var summary: String {
    let comparisons = difference.comparisons.sorted { $0.key < $1.key }
    var table = RowTable(["controller", "in common", "in A", "in B", ""])
    for (key, comparison) in comparisons.prefix(Self.most) {
      table.add([
        .text(key.called), .whole(comparison.common), .whole(comparison.counts[0]),
        .whole(comparison.counts[1]), .text(comparison.parted == nil ? "" : "differs"),
      ])
    }
    var lines = comparisons.count > Self.most ? ["and \(comparisons.count - Self.most) more"] : []
    lines += comparisons.lazy.compactMap { key, _ -> String? in
      let kinds = sides.map { $0.policies[key] ?? "" }
      return kinds[0] == kinds[1] ? nil : "\(key.called) is \(kinds[0]) in A and \(kinds[1]) in B."
    }.prefix(Self.most)
    for (letter, keys) in zip(Self.letters, difference.only) where !keys.isEmpty {
      let names = keys.prefix(12).map(\.called).joined(separator: ", ")
      lines.append("Only in \(letter): \(names)" + (keys.count > 12 ? " and others." : "."))
    }
    return table.text(.table, width: page.width, style: page.style)
      + lines.map { page.block($0) }.joined()
  }
}

extension DifferenceReport {
  var json: JSONValue {
    .object([
      "verdict": .text(difference.verdict.rawValue), "a": json(0), "b": json(1),
      "first": difference.first.map { key, comparison in
        .object([
          "controller": .text(key.name), "event": .whole(comparison.common + 1),
          "a": json(comparison.parted?[0], 0), "b": json(comparison.parted?[1], 1),
        ])
      } ?? .null,
      "controllers": .list(
        difference.comparisons.sorted { $0.key < $1.key }.map { key, comparison in
          .object([
            "name": .text(key.name), "place": .whole(key.place + 1),
            "differs": .bool(comparison.parted != nil), "common": .whole(comparison.common),
            "events_a": .whole(comparison.counts[0]), "events_b": .whole(comparison.counts[1]),
          ])
        }),
    ])
  }

  private func json(_ place: Int) -> JSONValue {
    let side = sides[place]
    return .object([
      "file": .text(side.history.path), "session": .whole(side.session.id),
      "gap": side.gap.map(LossNote.json) ?? .null,
      "only_here": .list(difference.only[place].map { .text($0.name) }),
    ])
  }

  private func json(_ event: HistorySide.Event?, _ place: Int) -> JSONValue {
    guard let event else { return .null }
    return .object([
      "seq": .whole(event.row.seq), "t_ms": .number(Double(event.row.time) / 1_000),
      "what": .text(event.row.happening), "visit": .whole(event.row.visit),
      "state": .text(event.state), "instance": .whole(event.instance),
      "refusal": .text(event.refusal?.words),
    ])
  }
}
