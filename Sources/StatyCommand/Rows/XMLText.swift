/// Text as it stands in XML.
enum XMLText {
  /// The text with everything escaped that has a meaning, and what cannot be seen written out; lines
  /// stay lines.
  ///
  /// Scalar by scalar: `<` with a mark on it is another character, and still begins a tag. XML knows
  /// no control characters at all, not even escaped ones.
  static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var escaped = ""
      for scalar in String(line).visible.unicodeScalars {
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        default: escaped.unicodeScalars.append(scalar)
        }
      }
      return escaped
    }.joined(separator: "\n")
  }
}
