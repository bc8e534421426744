import StatyHistory
import StatyReplay
import StatyReport

/// The first difference between two sessions, as text and as JSON.
struct DifferenceReport {
  private let sides: [HistorySide]
  private let difference: HistoryDifference
  private let page: TextSections
  private static let letters = ["A", "B"]

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
    if difference.verdict == .inconclusive {
      let others = difference.gaps.dropFirst().map {
        "In \(Self.letters[$0.place]), \($0.gap.words): \($0.key.called)."
      }
      let shown = others.prefix(12) + (others.count > 12 ? ["And \(others.count - 12) more."] : [])
      if !shown.isEmpty { text += "\n" + shown.map { page.block($0) }.joined() }
    }
    if let (key, course) = difference.first, let parted = course.difference {
      text += "\n" + page.heading("Controller \(key.called), its event \(course.common + 1)")
      for (place, event) in parted.enumerated() { text += said(event, place) }
      let first = parted[0] == nil ? 1 : 0
      text += listed(
        "Before it, in both (as in \(Self.letters[first]))",
        try sides[first].rows(of: key, before: parted[first]?.row.seq ?? 0), first)
      for (place, event) in parted.enumerated() {
        guard let event else { continue }
        text += listed(
          "After it, in \(Self.letters[place])",
          try sides[place].rows(of: key, after: event.row.seq), place)
      }
    }
    return text + "\n" + summary
  }

  private var verdict: String {
    switch difference.verdict {
    case .different:
      guard let (key, course) = difference.first else { return "They have other controllers." }
      return "They differ, first at event \(course.common + 1) of \(key.called)."
    case .inconclusive:
      guard let (key, gap, place) = difference.gaps.first else {
        return "Inconclusive: a controller that one of them does not have may be in what it is "
          + "missing."
      }
      return "Inconclusive: in \(Self.letters[place]), \(gap.words), and \(key.called) is the same "
        + "up to there."
    case .equal:
      let events = difference.courses.values.reduce(0) { $0 + $1.common }
      return "No difference: \(Decimal.count(difference.courses.count, "controller")), "
        + "\(Decimal.count(events, "event"))."
    }
  }

  /// What a side has at the first difference.
  private func said(_ event: HistorySide.Event?, _ place: Int) -> String {
    guard let event else { return "  \(Self.letters[place])  nothing more\n" }
    let words = sides[place].words
    let instance = event.instance == 0 ? "" : " (the object of #\(event.instance))"
    let refusal = event.refusal.map { ": \($0.words)" } ?? ""
    let what = "\(words.what(event.row)) \(words.visit(event.row.visit, event.row.state))".trimmed
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
    let courses = difference.courses.sorted { $0.key < $1.key }
    var table = RowTable(["controller", "in common", "in A", "in B", ""])
    for (key, course) in courses.prefix(40) {
      let note = [.equal: "", .different: "differs"][course.verdict] ?? "up to a gap"
      table.add([
        .text(key.called), .whole(course.common), .whole(course.counts[0]),
        .whole(course.counts[1]), .text(note),
      ])
    }
    // The controllers with different kinds in the two sessions.
    let kinds = courses.compactMap { key, _ -> String? in
      let kinds = sides.map { $0.controllers[key]?.policy.visible ?? "" }
      return kinds[0] == kinds[1] ? nil : "\(key.called) is \(kinds[0]) in A and \(kinds[1]) in B."
    }
    let only = zip(Self.letters, difference.only).filter { !$1.isEmpty }.map { letter, keys in
      "Only in \(letter): \(keys.prefix(12).map(\.called).joined(separator: ", "))"
        + (keys.count > 12 ? " and others." : ".")
    }
    let more = kinds.count > 12 ? ["And \(kinds.count - 12) more are of two kinds."] : []
    return table.text(.table, width: page.width, style: page.style)
      + (courses.count > 40 ? "and \(courses.count - 40) more\n" : "")
      + (kinds.prefix(12) + more + only).map { page.block($0) }.joined()
  }
}

extension DifferenceReport {
  /// The report as JSON.
  var json: JSONValue {
    .object([
      "verdict": .text(difference.verdict.rawValue), "equal": Self.isEqual(difference.verdict),
      "a": Self.json(sides[0]), "b": Self.json(sides[1]),
      "first": difference.first.map { key, course in
        .object([
          "controller": .text(key.name), "event": .whole(course.common + 1),
          "a": json(course.difference?[0], 0), "b": json(course.difference?[1], 1),
        ])
      } ?? .null,
      "controllers": .list(
        difference.courses.sorted { $0.key < $1.key }.map { key, course in
          .object([
            "name": .text(key.name), "place": .whole(key.place + 1),
            "verdict": .text(course.verdict.rawValue), "equal": Self.isEqual(course.verdict),
            "common": .whole(course.common), "events_a": .whole(course.counts[0]),
            "events_b": .whole(course.counts[1]),
          ])
        }),
      "gaps": .list(
        difference.gaps.map { key, gap, place in
          .object([
            "in": .text(Self.letters[place].lowercased()), "controller": .text(key.name),
            "place": .whole(key.place + 1), "seq": .whole(gap.seq), "reason": .text(gap.reason),
          ])
        }),
      "only_in_a": .list(difference.only[0].map { .text($0.name) }),
      "only_in_b": .list(difference.only[1].map { .text($0.name) }),
    ])
  }

  private static func isEqual(_ verdict: HistoryDifference.Verdict) -> JSONValue {
    verdict == .inconclusive ? .null : .bool(verdict == .equal)
  }

  private static func json(_ side: HistorySide) -> JSONValue {
    .object(["file": .text(side.history.path), "session": .whole(side.session.id)])
  }

  private func json(_ event: HistorySide.Event?, _ place: Int) -> JSONValue {
    guard let event else { return .null }
    return .object([
      "seq": .whole(event.row.seq), "t_ms": .number(Double(event.row.time) / 1_000),
      "what": .text(sides[place].words.what(event.row)), "visit": .whole(event.row.visit),
      "state": .text(event.state), "instance": .whole(event.instance),
      "refusal": .text(event.refusal?.words),
    ])
  }
}

extension HistorySide {
  /// The last events of a controller before one.
  fileprivate func rows(of key: ControllerKey, before seq: Int64) throws -> [EventRow] {
    try history.reader.events(around: seq, session: session.id, before: 6, from: 0) {
      keys[$0.controller] == key
    }
  }

  /// The next events of a controller after one.
  fileprivate func rows(of key: ControllerKey, after seq: Int64) throws -> [EventRow] {
    try history.reader.events(around: seq, session: session.id, before: 0, from: 6) {
      keys[$0.controller] == key
    }.filter { $0.seq > seq }
  }
}
