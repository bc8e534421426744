/// Text in XML.
enum XMLText {
  /// The text with all special characters escaped and invisible ones written out; line ends stay.
  ///
  /// Scalar by scalar: `<` with a combining mark is another character in Swift, but still begins a
  /// tag. XML allows no control characters, not even escaped ones.
  static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy(isPlain) { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
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

  /// Most texts are plain, and a file may have thousands of sessions.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): false
    default: byte == UInt8(ascii: "\n") || (0x20..<0x7f).contains(byte)
    }
  }
}
