import StatyHistory
import StatyReport
import StatyRules

/// The layout of an explanation's parts; each ends with a line end, and is empty if it has no
/// content.
struct TextSections {
  let width: Int
  let style: Style

  /// The first line: the verdict, which may be colored, and its meaning.
  func verdict(_ name: String, _ painted: String, _ sentence: String) -> String {
    let lines = TextWrap.lines("\(name): \(sentence)", width: width)
    // Colors are added after wrapping: their codes must not count as letters.
    let first = painted + String(lines[0].dropFirst(name.count))
    return ([first] + lines.dropFirst()).joined(separator: "\n") + "\n"
  }

  /// The last line, with the total.
  ///
  /// - Parameter praise: its colored beginning, if all is well.
  func sum(_ text: String, praise: String = "") -> String {
    var lines = TextWrap.lines(text, width: width)
    if !praise.isEmpty, lines[0].hasPrefix(praise) {
      lines[0] = style.good(praise) + lines[0].dropFirst(praise.count)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  func heading(_ text: String) -> String {
    TextWrap.lines(text, width: width).map { style.bold($0) + "\n" }.joined()
  }

  /// A heading and its lines.
  ///
  /// - Parameters:
  ///   - most: how many lines are shown; if there are more, that is mentioned.
  ///   - count: the number of lines, if not all of them are given.
  func section(_ title: String, _ lines: [String], most: Int = .max, of count: Int = 0) -> String {
    if lines.isEmpty { return "" }
    let rest = max(lines.count, count) - min(lines.count, most)
    let shown = lines.prefix(most) + (rest > 0 ? ["And \(rest) more."] : [])
    return heading(title) + shown.map { block($0, indent: 2) }.joined()
  }

  func block(_ text: String, indent: Int = 0) -> String {
    let space = String(repeating: " ", count: indent)
    return TextWrap.lines(text, width: width - indent).map { space + $0 + "\n" }.joined()
  }

  /// A text with a label in a column in front; below the label if there is no room.
  func labelled(_ label: String, _ text: String, column: Int = 10) -> String {
    if width < column + 28 { return "  \(label)\n" + block(text, indent: 4) }
    return TextWrap.hanging(
      text, after: "  " + DisplayWidth.pad(label, to: column), width: width
    ).map { $0 + "\n" }.joined()
  }

  /// Events as lanes, below a heading if there is one.
  func picture(
    _ title: String?, _ rows: [EventRow], marked: Int64, _ words: EventWords
  ) -> String {
    let lines = LanePicture(rows, marked: marked, words: words).lines(width: width - 2)
    if lines.isEmpty { return "" }
    return (title.map(heading) ?? "") + lines.map { "  " + $0 + "\n" }.joined()
  }

  /// The suggestions of what to try next.
  func steps(_ steps: [NextSteps.Step]) -> String {
    if steps.isEmpty { return "" }
    // A command stays on one line, so that it can be copied.
    return heading("Try next")
      + steps.map { block($0.text, indent: 2) + ($0.command.map { "    \($0)\n" } ?? "") }.joined()
  }
}

extension Finding {
  /// What went wrong, in one sentence.
  func sentence(_ words: EventWords) -> String {
    detail(naming: { words.name($0) }, track: words.track)
  }

  /// The rule, the event and what went wrong.
  func line(_ words: EventWords) -> String {
    "\(severity.rawValue)[\(code.rawValue)] at event \(seq): \(sentence(words))"
  }
}
