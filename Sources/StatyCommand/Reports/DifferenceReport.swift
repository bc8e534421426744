import StatyHistory
import StatyReport

/// Where two sessions part, for people and for other programs.
struct DifferenceReport {
  private let one: HistorySide
  private let other: HistorySide
  private let difference: HistoryDifference
  private let width: Int
  private let style: Style

  init(
    _ difference: HistoryDifference, _ one: HistorySide, _ other: HistorySide, width: Int,
    style: Style
  ) {
    self.difference = difference
    self.one = one
    self.other = other
    self.width = width
    self.style = style
  }

  /// The report for people.
  func text(isQuiet: Bool) throws -> String {
    var text = wrapped(verdict, isBold: true)
    if isQuiet { return difference.verdict == .equal ? "" : text }
    text += "  A  \(called(one))\n  B  \(called(other))\n"
    if difference.verdict == .inconclusive { text += gaps }
    if let (key, course) = difference.first, let parted = course.difference {
      text +=
        "\n" + wrapped("Controller \(key.called), its event \(course.common + 1)", isBold: true)
      text += side("A", parted.one, one) + side("B", parted.other, other)
      text += try before(key, parted.one ?? parted.other, parted.one != nil ? one : other)
      text += try after("A", key, parted.one, one) + after("B", key, parted.other, other)
    }
    return text + "\n" + summary
  }

  private func called(_ side: HistorySide) -> String {
    DisplayWidth.cut("\(side.history.called), session \(side.session.id)", to: width - 5)
  }

  private var verdict: String {
    switch difference.verdict {
    case .different: break
    case .inconclusive: return inconclusive
    case .equal:
      let events = difference.courses.values.reduce(0) { $0 + $1.common }
      return "No difference: \(Decimal.count(difference.courses.count, "controller")), "
        + "\(Decimal.count(events, "event"))."
    }
    guard let (key, course) = difference.first else { return "They have other controllers." }
    return "They differ, first at event \(course.common + 1) of \(key.called)."
  }

  private var inconclusive: String {
    let open = "It cannot be said whether they differ: "
    guard let (key, gap, letter) = allGaps.first else {
      return open + "a controller that one of them does not have may be in what it is missing."
    }
    return open + "in \(letter), \(gap.words), and \(key.called) is the same up to there."
  }

  /// Every gap behind which nothing was compared.
  private var allGaps: [(key: ControllerKey, gap: Gap, letter: String)] {
    difference.gaps.flatMap { key, one, other in
      [(key, one, "A"), (key, other, "B")].compactMap { key, gap, letter in
        gap.map { (key, $0, letter) }
      }
    }
  }

  private var gaps: String {
    let shown = allGaps.dropFirst().prefix(12).map { key, gap, letter in
      "In \(letter), \(gap.words): \(key.called)."
    }
    if shown.isEmpty { return "" }
    let rest = allGaps.count - 13
    return "\n" + shown.map { wrapped($0) }.joined()
      + (rest > 0 ? "And \(Decimal.count(rest, "more gap")).\n" : "")
  }

  private func side(
    _ letter: String, _ event: HistorySide.Event?, _ side: HistorySide
  ) -> String {
    guard let event else { return "  \(letter)  nothing more\n" }
    let instance =
      event.meaning.instance == 0 ? "" : " (the object of #\(event.meaning.instance))"
    let refusal = event.meaning.refusal.map { ": \(RefusalWords.text($0))" } ?? ""
    let what = "\(side.words.what(event.row)) \(side.words.visit(event.row.visit, event.row.state))"
    let lines = TextWrap.fitting(
      "\(event.row.seq)  \(Decimal.moment(event.row.time))  \(what.trimmed)\(instance)\(refusal)",
      width: width - 5)
    return lines.enumerated().map {
      ($0.offset == 0 ? "  \(letter)  " : "     ") + $0.element + "\n"
    }
    .joined()
  }

  private func before(
    _ key: ControllerKey, _ event: HistorySide.Event?, _ side: HistorySide
  ) throws -> String {
    guard let event else { return "" }
    let rows = try side.rows(of: key, before: event.row.seq, most: 6)
    return block("Before it, in both (as in \(side === one ? "A" : "B"))", rows, side)
  }

  private func after(
    _ letter: String, _ key: ControllerKey, _ event: HistorySide.Event?, _ side: HistorySide
  ) throws -> String {
    guard let event else { return "" }
    let rows = try side.rows(of: key, after: event.row.seq, most: 5)
    return block("After it, in \(letter)", rows, side)
  }

  private func block(_ title: String, _ rows: [EventRow], _ side: HistorySide) -> String {
    if rows.isEmpty { return "" }
    let lines = side.words.lines(rows, width: width - 4)
    return "\n  \(title):\n" + lines.map { "    \($0)\n" }.joined()
  }

  private var summary: String {
    var table = RowTable(["controller", "in common", "in A", "in B", ""])
    for (key, course) in difference.courses.sorted(by: { $0.key < $1.key }).prefix(40) {
      table.add([
        .text(key.called), .whole(course.common), .whole(course.counts.one),
        .whole(course.counts.other), .text(Self.note(course)),
      ])
    }
    var text = table.text(.table, width: width, style: style)
    if difference.courses.count > 40 { text += "and \(difference.courses.count - 40) more\n" }
    text += kinds + only("A", difference.onlyInOne) + only("B", difference.onlyInOther)
    return text
  }

  private static func note(_ course: HistoryDifference.Course) -> String {
    switch course.verdict {
    case .equal: ""
    case .different: "differs"
    case .inconclusive: "up to a gap"
    }
  }

  /// The controllers that are of another kind on either side.
  private var kinds: String {
    var lines: [String] = []
    for key in difference.courses.keys.sorted() {
      let (a, b) = (one.controllers[key]?.policy ?? "", other.controllers[key]?.policy ?? "")
      if a != b { lines.append("\(key.called) is \(a.visible) in A and \(b.visible) in B.") }
    }
    let rest = lines.count > 12 ? ["And \(lines.count - 12) more are of two kinds."] : []
    return (lines.prefix(12) + rest).map { wrapped($0) }.joined()
  }

  private func only(_ letter: String, _ keys: [ControllerKey]) -> String {
    if keys.isEmpty { return "" }
    let names = keys.prefix(12).map(\.called).joined(separator: ", ")
    return wrapped("Only in \(letter): \(names)\(keys.count > 12 ? " and others" : "").")
  }

  private func wrapped(_ text: String, isBold: Bool = false) -> String {
    TextWrap.lines(text, width: width).map { (isBold ? style.bold($0) : $0) + "\n" }.joined()
  }
}

extension DifferenceReport {
  /// The report for other programs.
  var json: JSONValue {
    let first = difference.first
    return .object([
      "verdict": .text(difference.verdict.rawValue),
      "equal": difference.verdict == .inconclusive
        ? .null : .bool(difference.verdict == .equal), "a": Self.json(one), "b": Self.json(other),
      "first": first.map { Self.json($0.key, $0.course, one, other) } ?? .null,
      "controllers": .list(
        difference.courses.sorted { $0.key < $1.key }.map { key, course in
          .object([
            "name": .text(key.name), "place": .whole(key.place + 1),
            "verdict": .text(course.verdict.rawValue),
            "equal": course.verdict == .inconclusive ? .null : .bool(course.verdict == .equal),
            "common": .whole(course.common),
            "events_a": .whole(course.counts.one), "events_b": .whole(course.counts.other),
          ])
        }),
      "gaps": .list(
        allGaps.map { key, gap, letter in
          .object([
            "in": .text(letter.lowercased()), "controller": .text(key.name),
            "place": .whole(key.place + 1), "seq": .whole(gap.seq), "reason": .text(gap.reason),
          ])
        }),
      "only_in_a": .list(difference.onlyInOne.map { .text($0.name) }),
      "only_in_b": .list(difference.onlyInOther.map { .text($0.name) }),
    ])
  }

  private static func json(_ side: HistorySide) -> JSONValue {
    .object(["file": .text(side.history.path), "session": .whole(side.session.id)])
  }

  private static func json(
    _ key: ControllerKey, _ course: HistoryDifference.Course, _ one: HistorySide,
    _ other: HistorySide
  ) -> JSONValue {
    .object([
      "controller": .text(key.name), "event": .whole(course.common + 1),
      "a": json(course.difference?.one, one), "b": json(course.difference?.other, other),
    ])
  }

  private static func json(_ event: HistorySide.Event?, _ side: HistorySide) -> JSONValue {
    guard let event else { return .null }
    return .object([
      "seq": .whole(event.row.seq), "t_ms": .number(Double(event.row.time) / 1_000),
      "what": .text(side.words.what(event.row)), "visit": .whole(event.meaning.visit),
      "state": .text(event.meaning.state), "instance": .whole(event.meaning.instance),
      "refusal": .text(event.meaning.refusal.map { RefusalWords.text($0) }),
    ])
  }
}

extension HistorySide {
  /// The events of a controller that come before one.
  fileprivate func rows(
    of key: ControllerKey, before seq: Int64, most: Int
  ) throws -> [EventRow] {
    let events = try history.reader.events(
      session: session.id, from: max(session.firstSeq, seq.clampedAdding(-1_000)),
      through: seq.clampedAdding(-1))
    var rows: [EventRow] = []
    while let row = try events.next() {
      guard keys[row.controller] == key else { continue }
      rows.append(row)
      if rows.count > most { rows.removeFirst() }
    }
    return rows
  }

  /// The events of a controller that come after one.
  fileprivate func rows(
    of key: ControllerKey, after seq: Int64, most: Int
  ) throws -> [EventRow] {
    let events = try history.reader.events(
      session: session.id, from: seq.clampedAdding(1), through: seq.clampedAdding(1_000))
    var rows: [EventRow] = []
    while rows.count < most, let row = try events.next() {
      if keys[row.controller] == key { rows.append(row) }
    }
    return rows
  }
}
