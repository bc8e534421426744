import StatyHistory

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
    if isQuiet { return difference.isEqual ? "" : text }
    text += "  A  \(called(one))\n  B  \(called(other))\n"
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
    if difference.isEqual {
      let events = difference.courses.values.reduce(0) { $0 + $1.common }
      return "No difference: \(Decimal.count(difference.courses.count, "controller")), "
        + "\(Decimal.count(events, "event"))."
    }
    guard let (key, course) = difference.first else { return "They have other controllers." }
    return "They differ, first at event \(course.common + 1) of \(key.called)."
  }

  private func side(
    _ letter: String, _ event: HistorySide.Event?, _ side: HistorySide
  ) -> String {
    guard let event else { return "  \(letter)  nothing more\n" }
    let instance =
      event.meaning.instance == 0 ? "" : " (the object of #\(event.meaning.instance))"
    let what = "\(side.words.what(event.row)) \(side.words.visit(event.row.visit, event.row.state))"
    return DisplayWidth.cut(
      "  \(letter)  \(event.row.seq)  \(Decimal.moment(event.row.time))  "
        + what.trimmed + instance, to: width) + "\n"
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
    var table = RowTable(["controller", "in common", "events of A", "events of B", ""])
    for (key, course) in difference.courses.sorted(by: { $0.key < $1.key }).prefix(40) {
      let kinds = (one.controllers[key]?.policy ?? "", other.controllers[key]?.policy ?? "")
      let note = kinds.0 == kinds.1 ? "" : "\(kinds.0) in A, \(kinds.1) in B"
      table.add([
        .text(key.called), .whole(course.common), .whole(course.counts.one),
        .whole(course.counts.other), .text(course.isEqual ? note : "differs; \(note)".withoutEnd),
      ])
    }
    var text = table.text(.table, width: width, style: style)
    if difference.courses.count > 40 { text += "and \(difference.courses.count - 40) more\n" }
    text += only("A", difference.onlyInOne) + only("B", difference.onlyInOther)
    return text
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
      "equal": .bool(difference.isEqual), "a": Self.json(one), "b": Self.json(other),
      "first": first.map { Self.json($0.key, $0.course, one, other) } ?? .null,
      "controllers": .list(
        difference.courses.sorted { $0.key < $1.key }.map { key, course in
          .object([
            "name": .text(key.name), "place": .whole(key.place + 1),
            "equal": .bool(course.isEqual), "common": .whole(course.common),
            "events_a": .whole(course.counts.one), "events_b": .whole(course.counts.other),
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

extension String {
  /// Without the separator of something that did not follow.
  fileprivate var withoutEnd: String { hasSuffix("; ") ? String(dropLast(2)) : self }
}
