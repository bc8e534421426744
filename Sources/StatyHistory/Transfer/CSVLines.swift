import StatyText

/// A history in CSV: the common parts of each line in columns, and the rest as JSON in the last
/// one.
///
/// A cell holds a text only if every program shows it unchanged and no spreadsheet treats it as a
/// formula. Any other text is in the last column, as JSON. So no row contains a line break, and
/// nothing has to be unescaped when it is read.
enum CSVLines {
  /// The columns in the order in which they are written.
  static let columns: [TransferKey] = [
    .type, .seq, .tUs, .kind, .controller, .visit, .state, .reason, .inside, .part, .cause,
    .thread, .origin, .instance, .site, .line, .note, .payload,
  ]

  /// The column for everything without a column of its own.
  static let more = "more"

  /// The first row.
  static let head = (columns.map(\.word) + [more]).joined(separator: ",") + "\r\n"

  private static let isColumn: [Bool] = TransferKey.allCases.map(columns.contains)

  /// Adds a line as a row, without its end.
  static func write(_ line: TransferLine, to bytes: inout [UInt8]) {
    for key in columns {
      if let cell = cell(line[key]) { quote(cell, to: &bytes) }
      bytes.append(UInt8(ascii: ","))
    }
    if TransferKey.allCases.allSatisfy({ isSaid($0, in: line) }) { return }
    var rest: [UInt8] = []
    JSONLineWriting.write(line, to: &rest) { isSaid($0, in: line) }
    quote(String(decoding: rest, as: UTF8.self), to: &bytes)
  }

  /// Whether the value under a key, if there is one, fits into a column of its own.
  private static func isSaid(_ key: TransferKey, in line: TransferLine) -> Bool {
    line[key] == .absent || isColumn[key.rawValue] && cell(line[key]) != nil
  }

  /// The cell for a value; none if no cell can hold it.
  private static func cell(_ value: TransferValue) -> String? {
    switch value {
    case .integer(let number): String(number)
    case .text(let text): isSafe(text) ? text : nil
    default: nil
    }
  }

  /// Whether every program shows a text unchanged, and it is no formula.
  private static func isSafe(_ text: String) -> Bool {
    if text.isEmpty || text.isFormula { return false }
    return text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } || text.escapedForOneLine == text
  }

  private static func quote(_ cell: String, to bytes: inout [UInt8]) {
    guard cell.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }) else {
      bytes += cell.utf8
      return
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in cell.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
