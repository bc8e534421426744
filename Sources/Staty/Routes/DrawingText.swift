/// Escapes any text for the languages of drawings.
package enum DrawingText {
  /// Quotes a text for Graphviz.
  ///
  /// Quotes, backslashes and ampersands are escaped.
  package static func dot(_ text: String) -> String {
    // By scalars, as Graphviz reads it: a quote with a combining accent is another character in
    // Swift.
    let escaped = text.printable.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "&": "&amp;"
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }

  /// Escapes a text for Mermaid, which knows only entities of the form `#…;`.
  package static func mermaid(_ text: String) -> String {
    text.printable.unicodeScalars.map { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == " "
        || "-_*.()[]".unicodeScalars.contains(scalar) ? String(scalar) : "#\(scalar.value);"
    }.joined()
  }
}

extension String {
  /// The text with a replacement for each control character.
  package var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }
}
