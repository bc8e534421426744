import StatyHistory
import StatyReport

/// Where two sessions part, for people and for other programs.
struct DifferenceReport {
  let one: HistorySide
  let other: HistorySide
  let difference: HistoryDifference
  let width: Int
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
  var allGaps: [(key: ControllerKey, gap: Gap, letter: String)] {
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
