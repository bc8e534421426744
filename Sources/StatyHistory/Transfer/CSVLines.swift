import StatyText

/// A history in CSV: the common of each line in columns, and the rest as JSON in the last.
///
/// A cell holds a text only if that shows as itself everywhere and no spreadsheet takes it for a
/// formula; any other stands in the last column, where JSON can say it. So no row has a line end in
/// it, and nothing has to be undone when it is read.
enum CSVLines {
  /// The columns in the order in which they are written.
  static let columns: [TransferKey] = [
    .type, .seq, .tUs, .kind, .controller, .visit, .state, .reason, .inside, .part, .cause,
    .thread, .origin, .instance, .site, .line, .note, .payload,
  ]

  /// The column for what has no other.
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

  /// Whether what a line says under a key, if anything, stands in a column of its own.
  private static func isSaid(_ key: TransferKey, in line: TransferLine) -> Bool {
    line[key] == .absent || isColumn[key.rawValue] && cell(line[key]) != nil
  }

  /// The cell for a value; none if no cell can say it.
  private static func cell(_ value: TransferValue) -> String? {
    switch value {
    case .integer(let number): String(number)
    case .text(let text): isSafe(text) ? text : nil
    default: nil
    }
  }

  /// Whether a text shows as itself and is no formula.
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

/// Reads the rows that `CSVLines` writes, whatever the order of the columns.
struct CSVReading {
  /// What each column says; none for the one with the rest.
  private let columns: [TransferKey?]

  /// - Parameter head: the first row.
  init(head: ArraySlice<UInt8>) throws(LineProblem) {
    var columns: [TransferKey?] = []
    for word in try Self.cells(head) {
      if word == CSVLines.more {
        columns.append(nil)
      } else if let key = TransferKey(word: word), !columns.contains(key) {
        columns.append(key)
      } else {
        throw LineProblem(
          "there is no column '\(word.shortened(to: 40))', or it is there twice",
          "The first row names the columns, as 'type,seq,t_us,kind,…,more'.")
      }
    }
    self.columns = columns
  }

  /// Takes what a row says into a line.
  func read(_ bytes: ArraySlice<UInt8>, into line: inout TransferLine) throws(LineProblem) {
    let cells = try Self.cells(bytes)
    guard cells.count <= columns.count else {
      throw LineProblem(
        "the row has \(cells.count) cells", "Expected are \(columns.count), as in the first row.")
    }
    for (cell, key) in zip(cells, columns) where !cell.isEmpty {
      if let key {
        try put(cell, key, &line)
      } else {
        try JSONLineReading.read(Array(cell.utf8)[...], into: &line)
      }
    }
  }

  private func put(
    _ cell: String, _ key: TransferKey, _ line: inout TransferLine
  ) throws(LineProblem) {
    if key.isText {
      line[key] = .text(cell)
    } else if let number = Int64(cell) {
      line[key] = .integer(number)
    } else if let number = Double(cell), number.isFinite {
      line[key] = .decimal(number)
    } else {
      line[key] = .text(cell)
      throw line.wrong(key, "a number")
    }
  }

  /// The cells of a row.
  private static func cells(_ bytes: ArraySlice<UInt8>) throws(LineProblem) -> [String] {
    var bytes = bytes
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    var cells: [String] = []
    var place = bytes.startIndex
    while true {
      var cell: [UInt8] = []
      if place < bytes.endIndex, bytes[place] == UInt8(ascii: "\"") {
        try readQuoted(bytes, &place, into: &cell)
      } else {
        while place < bytes.endIndex, bytes[place] != UInt8(ascii: ",") {
          cell.append(bytes[place])
          place += 1
        }
      }
      guard let text = String(validating: cell, as: UTF8.self) else {
        throw LineProblem("a cell is not UTF-8", "Write the file in UTF-8.")
      }
      cells.append(text)
      if place == bytes.endIndex { return cells }
      guard bytes[place] == UInt8(ascii: ",") else {
        throw LineProblem("there is more after a cell in quotes", "Put a comma behind it.")
      }
      place += 1
    }
  }

  private static func readQuoted(
    _ bytes: ArraySlice<UInt8>, _ place: inout Int, into cell: inout [UInt8]
  ) throws(LineProblem) {
    place += 1
    while place < bytes.endIndex {
      let byte = bytes[place]
      place += 1
      if byte != UInt8(ascii: "\"") {
        cell.append(byte)
      } else if place < bytes.endIndex, bytes[place] == byte {
        cell.append(byte)
        place += 1
      } else {
        return
      }
    }
    throw LineProblem(
      "a cell in quotes has no end in this row",
      "Line ends stand as '\\n' in the column 'more'; export the history again.")
  }
}
