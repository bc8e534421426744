import StatySQLite

/// Writes lines as objects of JSON.
enum JSONLineWriting {
  /// Adds the object to `bytes`, without the end of the line.
  ///
  /// - Parameter isLeftOut: which keys are said elsewhere.
  static func write(
    _ line: TransferLine, to bytes: inout [UInt8], isLeftOut: (TransferKey) -> Bool = { _ in false }
  ) {
    var separator = UInt8(ascii: "{")
    for key in TransferKey.allCases {
      let value = line[key]
      if value == .absent || isLeftOut(key) { continue }
      bytes.append(separator)
      separator = UInt8(ascii: ",")
      bytes.append(UInt8(ascii: "\""))
      bytes += key.word.utf8
      bytes += "\":".utf8
      write(value, to: &bytes)
    }
    if separator == UInt8(ascii: "{") { bytes.append(separator) }
    bytes.append(UInt8(ascii: "}"))
  }

  private static func write(_ value: TransferValue, to bytes: inout [UInt8]) {
    switch value {
    case .absent, .null: bytes += "null".utf8
    case .bool(let bool): bytes += (bool ? "true" : "false").utf8
    case .integer(let number): bytes += String(number).utf8
    case .large(let number): bytes += String(number).utf8
    case .decimal(let number): bytes += String(number).utf8
    case .json(let text): bytes += text.utf8
    case .text(let text): quote(text, to: &bytes)
    }
  }

  /// Adds a text between quotes.
  ///
  /// What could command a terminal is written as `\u…`, which says the same to who reads JSON.
  static func quote(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    if isPlain(text) {
      bytes += text.utf8
    } else {
      for scalar in text.unicodeScalars { quote(scalar, to: &bytes) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether a text is itself between quotes, in JSON and on a terminal.
  static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
  }

  /// The same JSON with what could command a terminal, which only texts in it can have, escaped.
  static func visible(_ json: String) -> String {
    guard json.escapedForOneLine != json else { return json }
    var bytes: [UInt8] = []
    for scalar in json.unicodeScalars {
      if scalar == "\"" || scalar == "\\" {
        bytes += String(scalar).utf8
      } else {
        quote(scalar, to: &bytes)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func quote(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    switch scalar {
    case "\"": bytes += "\\\"".utf8
    case "\\": bytes += "\\\\".utf8
    case "\n": bytes += "\\n".utf8
    case "\t": bytes += "\\t".utf8
    case "\r": bytes += "\\r".utf8
    default:
      let character = String(scalar)
      if character.escapedForOneLine == character {
        bytes += character.utf8
      } else {
        for unit in character.utf16 { bytes += "\\u\(hexadecimal(unit))".utf8 }
      }
    }
  }

  private static func hexadecimal(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
