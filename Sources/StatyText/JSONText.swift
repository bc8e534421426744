/// Texts as JSON.
///
/// Characters that could control a terminal or be invisible are written as `\u…`, which means the same in JSON.
package enum JSONText {
  /// The text between quotes.
  package static func quoted(_ text: String) -> String {
    // Nearly all texts are plain, and looking at each scalar takes most of the time.
    if text.isPlain { return "\"" + text + "\"" }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if let escape = escape(scalar) {
        quoted += escape
      } else {
        quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// Adds the text between quotes to `bytes`.
  package static func quote(_ text: String, to bytes: inout [UInt8]) {
    guard text.isPlain else {
      bytes += quoted(text).utf8
      return
    }
    // An export has millions of these.
    bytes.append(UInt8(ascii: "\""))
    bytes += text.utf8
    bytes.append(UInt8(ascii: "\""))
  }

  /// The same JSON with what could command a terminal, which only texts in it can have, escaped.
  package static func visible(_ json: String) -> String {
    guard json.escapedForOneLine != json else { return json }
    var visible = ""
    for scalar in json.unicodeScalars {
      if scalar != "\"", scalar != "\\", let escape = escape(scalar) {
        visible += escape
      } else {
        visible.unicodeScalars.append(scalar)
      }
    }
    return visible
  }

  /// The same JSON without anything that could end a `script` or begin something in a page.
  package static func forPages(_ json: String) -> String {
    guard json.utf8.contains(where: { Unicode.Scalar($0).isOfMarkup }) else { return json }
    var harmless = ""
    for scalar in json.unicodeScalars {
      if scalar.isOfMarkup {
        harmless += unit(UInt16(scalar.value))
      } else {
        harmless.unicodeScalars.append(scalar)
      }
    }
    return harmless
  }

  /// What is written for a scalar; none where it stands as it is.
  private static func escape(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\t": return "\\t"
    case "\r": return "\\r"
    default:
      let text = String(scalar)
      return text.escapedForOneLine == text ? nil : text.utf16.map(unit).joined()
    }
  }

  private static func unit(_ unit: UInt16) -> String { "\\u" + unit.hexadecimal }
}

extension Unicode.Scalar {
  fileprivate var isOfMarkup: Bool { self == "<" || self == ">" || self == "&" }
}
