import StatyText

/// Texts of strangers in HTML: nothing in them is a tag, hides itself, or turns its surroundings round.
enum HTMLText {
  /// A text between tags or in an attribute's double quotes.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.escapedForOneLine.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A name, apart from what stands beside it whatever its direction; a long one is cut.
  static func name(_ text: String, most: Int = 120) -> String {
    text.isEmpty ? "<i>none</i>" : "<bdi>\(escaped(text.shortened(to: most)))</bdi>"
  }

  /// A relative address of a file: what could mean something in it is written as `%` and two digits,
  /// so that it can name no scheme.
  static func address(_ path: String) -> String {
    var address = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        address.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        address += byte.percentEncoded
      }
    }
    return address
  }
}
