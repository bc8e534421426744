/// Texts as they may stand in the languages of drawings, whatever is in them.
package enum DrawingText {
  /// The text between quotes for Graphviz, in which nothing of it commands: no quote ends it, no
  /// backslash begins a field, and no ampersand an entity.
  package static func dot(_ text: String) -> String {
    // By scalars, as Graphviz reads it: to Swift a quote with an accent on it is no quote.
    let escaped = printable(text).unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "&": "&amp;"
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }

  /// The text as part of one for Mermaid, which has no escape but HTML entities, written `#…;`.
  package static func mermaid(_ text: String) -> String {
    printable(text).unicodeScalars.map { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == " "
        || "-_*.()[]".unicodeScalars.contains(scalar) ? String(scalar) : "#\(scalar.value);"
    }.joined()
  }

  private static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }
}
