/// The forms in which rows can be printed.
enum RowFormat: String, CaseIterable {
  case table, json, ndjson, csv, markdown
}

/// What is in one place of a table.
enum Cell: Equatable {
  case text(String)
  case integer(Int64)
  /// A number with this many digits behind the point.
  case decimal(Double, digits: Int)
  /// A number as people write it, such as one with its unit.
  case figure(String)
  case nothing

  static func whole(_ number: some BinaryInteger) -> Cell { .integer(Int64(number)) }

  /// Microseconds as seconds.
  static func seconds(_ microseconds: Int64) -> Cell {
    .decimal(Double(microseconds) / 1_000_000, digits: 3)
  }

  var plain: String {
    switch self {
    case .text(let text), .figure(let text): text
    case .integer(let integer): "\(integer)"
    case .decimal(let number, let digits): Decimal.text(number, digits: digits)
    case .nothing: ""
    }
  }

  var isNumber: Bool {
    switch self {
    case .integer, .decimal, .figure: true
    case .text, .nothing: false
    }
  }

  var json: JSONValue {
    switch self {
    case .text(let text), .figure(let text): .text(text)
    case .integer(let integer): .integer(integer)
    case .decimal(let number, _): .number(number)
    case .nothing: .null
    }
  }
}

/// Prints rows that all have the same columns.
struct RowTable {
  /// The names of the columns, as the view or the verb calls them.
  let columns: [String]
  /// The rows, each with a cell for every column.
  var rows: [[Cell]] = []

  init(_ columns: [String]) { self.columns = columns }

  mutating func add(_ cells: [Cell]) {
    precondition(cells.count == columns.count, "A row has a cell for every column.")
    rows.append(cells)
  }

  /// The rows in this form.
  ///
  /// - Parameter width: how wide a table may be, which leaves out what has no room; other forms are
  ///   as wide as they are.
  func text(_ format: RowFormat, width: Int, style: Style) -> String {
    switch format {
    case .table: table(width, style)
    case .json: JSONValue.list(rows.map(object)).pretty
    case .ndjson: rows.map { object($0).line + "\n" }.joined()
    case .csv: csv
    case .markdown: markdown
    }
  }

  private func object(_ row: [Cell]) -> JSONValue {
    .object(zip(columns, row).map { (key: $0, value: $1.json) })
  }
}

extension RowTable {
  private func table(_ width: Int, _ style: Style) -> String {
    let texts = rows.map { $0.map(\.plain.visible) }
    let shown = columns.count - leftOut(width).count
    var widths = Array(widths.prefix(shown))
    Self.shrink(&widths, to: width)
    let head = Array(columns.prefix(shown))
    var text =
      style.bold(Self.line(head, widths) { rows.first?[$0].isNumber ?? false }) + "\n"
    for (row, cells) in zip(rows, texts) {
      text += Self.line(Array(cells.prefix(shown)), widths) { row[$0].isNumber } + "\n"
    }
    return text
  }

  /// How many columns of a terminal each column would take.
  private var widths: [Int] {
    columns.indices.map { column in
      let widest = rows.map { DisplayWidth.of($0[column].plain.visible) }.max() ?? 0
      return max(DisplayWidth.of(columns[column]), widest)
    }
  }

  /// The columns for which a table of this width has no room; the first matter most.
  func leftOut(_ width: Int) -> [String] {
    Array(columns.dropFirst(Self.fit(widths, into: width)))
  }

  private static func line(_ texts: [String], _ widths: [Int], isNumber: (Int) -> Bool) -> String {
    let cells = texts.enumerated().map { column, text in
      DisplayWidth.pad(
        DisplayWidth.cut(text, to: widths[column]), to: widths[column], isNumber: isNumber(column))
    }
    let line = cells.joined(separator: "  ")
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  /// How many columns there is room for; the first are those that matter most.
  private static func fit(_ widths: [Int], into width: Int) -> Int {
    var used = -2
    for (place, one) in widths.enumerated() {
      used += 2 + min(one, least)
      if used > width { return max(1, place) }
    }
    return widths.count
  }

  /// A column that is narrower than this does not tell rows apart.
  private static let least = 12

  /// Takes from the last columns first, and leaves enough of each to tell rows apart.
  private static func shrink(_ widths: inout [Int], to width: Int) {
    var excess = widths.reduce(2 * (widths.count - 1), +) - width
    for column in widths.indices.reversed() where excess > 0 && widths[column] > least {
      let taken = min(excess, widths[column] - least)
      widths[column] -= taken
      excess -= taken
    }
  }

  private var csv: String {
    let lines = [columns.map { Self.quoted($0) }] + rows.map { $0.map(Self.csv) }
    return lines.map { $0.joined(separator: ",") + "\r\n" }.joined()
  }

  private static func csv(_ cell: Cell) -> String {
    guard case .text(let text) = cell else { return cell.plain }
    // A spreadsheet would take it for a formula.
    let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
    return quoted(isFormula ? "'" + text : text)
  }

  private static func quoted(_ text: String) -> String {
    // What could command a terminal has no place in a cell; line ends have, between quotes.
    let clean = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).visible }.joined(separator: "\n")
    guard clean.contains(where: { $0 == "," || $0 == "\"" || $0 == "\n" }) else { return clean }
    return "\""
      + clean.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }

  private var markdown: String {
    let marks = columns.indices.map { rows.first?[$0].isNumber ?? false ? "---:" : "---" }
    let lines = [columns, marks] + rows.map { $0.map { Self.markdown($0.plain) } }
    return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }

  private static func markdown(_ text: String) -> String {
    text.visible.reduce(into: "") { escaped, character in
      if "\\`*_{}[]<>#|&~".contains(character) { escaped += "\\" }
      escaped.append(character)
    }
  }
}
