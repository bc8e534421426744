/// The text before, in and after rows of one format.
///
/// Delimiters are searched among scalars, not characters: a comma with a combining accent is
/// another character in Swift, but a comma to other programs.
struct RowText {
  private let sample: RowTable
  private let keys: [String]
  private let format: RowFormat
  private let layout: TableLayout
  private let style: Style

  /// - Parameter sample: the first rows, which determine the layout of all.
  init(_ sample: RowTable, _ format: RowFormat, width: Int, style: Style) {
    self.sample = sample
    keys = sample.columns.toldApart
    self.format = format
    self.style = style
    layout = TableLayout(sample, width: width)
  }

  /// The columns of a table that have no room.
  var leftOut: [String] { format == .table ? layout.leftOut : [] }

  private var head: String {
    switch format {
    case .table: layout.head(style)
    case .json: "["
    case .ndjson: ""
    case .csv: CSVText.line(sample.columns.map(CSVText.quoted))
    case .markdown:
      Self.markdown(sample.columns.map(Self.markdown))
        + Self.markdown(layout.isNumber.map { $0 ? "---:" : "---" })
    }
  }

  /// The text before the rows, and the first rows.
  var beginning: String {
    head + sample.rows.enumerated().map { row($1, isFirst: $0 == 0) }.joined()
  }

  /// The text if there are no more rows.
  var whole: String { beginning + end(isEmpty: sample.rows.isEmpty) }

  /// A row.
  func row(_ cells: [Cell], isFirst: Bool) -> String {
    switch format {
    case .table: layout.line(cells)
    case .json: (isFirst ? "\n  " : ",\n  ") + object(cells).written(indent: 2)
    case .ndjson: object(cells).line + "\n"
    case .csv: CSVText.line(cells.map(CSVText.cell))
    case .markdown: Self.markdown(cells.map { Self.markdown($0.plain) })
    }
  }

  /// The text after the rows.
  func end(isEmpty: Bool) -> String {
    guard format == .json else { return "" }
    return isEmpty ? "]\n" : "\n]\n"
  }

  private func object(_ cells: [Cell]) -> JSONValue {
    .object(zip(keys, cells).map { (key: $0, value: $1.json) })
  }

  private static func markdown(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |\n"
  }

  private static func markdown(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.visible.unicodeScalars {
      if "\\`*_{}[]<>#|&~".unicodeScalars.contains(scalar) { escaped.append("\\") }
      escaped.append(scalar)
    }
    return String(escaped)
  }
}

extension [String] {
  /// The same names, numbered if they repeat: the keys of an object must differ.
  fileprivate var toldApart: [String] {
    var taken: Set<String> = []
    return map { name in
      var key = name
      var number = 1
      while !taken.insert(key).inserted {
        number += 1
        key = "\(name)_\(number)"
      }
      return key
    }
  }
}
