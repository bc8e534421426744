import StatyText

/// Writes lines as JSON objects.
enum JSONLineWriting {
  /// Adds the object to `bytes`, without the end of the line.
  static func write(_ line: TransferLine, to bytes: inout [UInt8]) {
    var separator = UInt8(ascii: "{")
    for key in TransferKey.allCases {
      let value = line[key]
      if value == .absent { continue }
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
    case .text(let text): JSONText.quote(text, to: &bytes)
    }
  }
}
