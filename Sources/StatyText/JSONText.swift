/// Writes texts as JSON strings.
///
/// Characters that could control a terminal or be invisible are escaped as `\u…`, which has the
/// same meaning in JSON.
package enum JSONText {
  /// The text as a JSON string, with quotes.
  package static func quoted(_ text: String) -> String {
    // Nearly all texts are plain, and a loop over the scalars is slow.
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

  /// Appends the text as a JSON string, with quotes.
  package static func quote(_ text: String, to bytes: inout [UInt8]) {
    guard text.isPlain else {
      bytes += quoted(text).utf8
      return
    }
    // An export calls this millions of times.
    bytes.append(UInt8(ascii: "\""))
    bytes += text.utf8
    bytes.append(UInt8(ascii: "\""))
  }

  /// The same JSON with all characters that could control a terminal escaped.
  ///
  /// Only strings can contain them.
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

  /// The same JSON, escaped so that it cannot end a `script` element or contain HTML.
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

  /// The escape sequence of a scalar; `nil` if it needs none.
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
