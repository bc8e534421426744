import StatySQLite

/// Texts as JSON that may stand anywhere, also within a page's `script`.
enum JSONText {
  /// The text between quotes.
  ///
  /// What could end a `script` or command a terminal is written as `\u…`, which says the same to who
  /// reads JSON.
  static func quoted(_ text: String) -> String {
    if text.utf8.allSatisfy(isPlain) { return "\"" + text + "\"" }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      default:
        if isVisible(scalar) {
          quoted.unicodeScalars.append(scalar)
        } else {
          for unit in String(scalar).utf16 { quoted += escape(unit) }
        }
      }
    }
    return quoted + "\""
  }

  /// The text between quotes, or null if there is none.
  static func quoted(_ text: String?) -> String { text.map { quoted($0) } ?? "null" }

  /// A list of texts.
  static func list(_ texts: [String]) -> String {
    "[" + texts.map { quoted($0) }.joined(separator: ",") + "]"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "&"):
      false
    default: byte >= 0x20 && byte < 0x7f
    }
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 { return isPlain(UInt8(scalar.value)) }
    let text = String(scalar)
    return text.escapedForOneLine == text
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
