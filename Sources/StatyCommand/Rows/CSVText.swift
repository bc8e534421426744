import StatyText

/// Cells and lines of CSV, as RFC 4180 has it.
///
/// What would command a terminal is written out, and what a spreadsheet would take for a formula
/// begins with an apostrophe; the forms of JSON have every text exactly.
enum CSVText {
  static func line(_ cells: [String]) -> String {
    // An empty line would be no row at all.
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
    // Line ends have a place in a cell, between quotes.
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
