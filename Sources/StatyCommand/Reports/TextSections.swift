/// How the parts of an explanation are laid out.
struct TextSections {
  let width: Int
  let style: Style

  /// The first line: the verdict, which may be painted, and what it means.
  func verdict(_ name: String, _ painted: String, _ sentence: String) -> String {
    let lines = TextWrap.lines("\(name): \(sentence)", width: width)
    // Painted after it was broken, or the paint would count as letters.
    let first = painted + String(lines[0].dropFirst(name.count))
    return ([first] + lines.dropFirst()).joined(separator: "\n") + "\n"
  }

  /// The last line, which says what all came to.
  ///
  /// - Parameter praise: what it begins with, if all is well: painted.
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

  /// A heading and its lines; nothing if there are none.
  func section(_ title: String, _ lines: [String]) -> String {
    lines.isEmpty ? "" : heading(title) + lines.map { block($0, indent: 2) }.joined()
  }

  func block(_ text: String, indent: Int) -> String {
    let space = String(repeating: " ", count: indent)
    return TextWrap.lines(text, width: width - indent).map { space + $0 + "\n" }.joined()
  }
}
