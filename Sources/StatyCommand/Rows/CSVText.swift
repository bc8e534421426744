import StatyText

/// Cells and lines of CSV by RFC 4180.
///
/// Characters that could control a terminal are escaped, and a text that a spreadsheet would treat
/// as a formula gets an apostrophe in front. The JSON formats contain every text unchanged.
enum CSVText {
  static func line(_ cells: [String]) -> String {
    // An empty line would not count as a row.
    (cells == [""] ? "\"\"" : cells.joined(separator: ",")) + "\r\n"
  }

  static func cell(_ cell: Cell) -> String {
    guard case .text(let text) = cell else { return cell.exact }
    return quoted(text)
  }

  static func quoted(_ text: String) -> String {
    if text.isPlain, !text.utf8.contains(UInt8(ascii: ",")),
      !"=+-@".utf8.contains(text.utf8.first ?? 0)
    {
      return text
    }
    // A quoted cell may contain line ends.
    let clean = (text.isFormula ? "'" + text : text).unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { String($0).visible }.joined(separator: "\n")
    guard clean.utf8.contains(where: { ",\"\n".utf8.contains($0) }) else { return clean }
    var quoted = "\""
    for scalar in clean.unicodeScalars {
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
