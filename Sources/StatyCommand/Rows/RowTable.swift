/// The forms in which rows can be printed.
enum RowFormat: String, CaseIterable {
  case table, json, ndjson, csv, markdown

  /// Whether it is for eyes rather than for programs.
  var isForPeople: Bool { self == .table || self == .markdown }
}

/// A few rows that all have the same columns, kept until they are printed.
///
/// What can be long is printed as it comes, by ``RowStream``.
struct RowTable {
  /// The names of the columns, as the view or the verb calls them.
  let columns: [String]
  /// The columns that matter most where there is little room, the first most.
  let foremost: [String]
  /// The columns that come before those if they tell the rows apart.
  let identity: [String]
  /// The rows, each with a cell for every column.
  var rows: [[Cell]] = []
  /// Whether there are more rows than these.
  var isCut = false

  init(_ columns: [String], foremost: [String] = [], identity: [String] = []) {
    self.columns = columns
    self.foremost = foremost
    self.identity = identity
  }

  /// The columns that matter most, as the rows are: where all say the same, nothing is told apart.
  private var leading: [String] {
    identity.filter { name in
      guard let place = columns.firstIndex(of: name), let first = rows.first else { return false }
      return rows.contains { $0[place] != first[place] }
    } + foremost
  }

  mutating func add(_ cells: [Cell]) {
    precondition(cells.count == columns.count, "A row has a cell for every column.")
    rows.append(cells)
  }

  /// The rows in this form.
  ///
  /// - Parameter width: how wide a table may be, which leaves out what has no room; other forms are
  ///   as wide as they are.
  func text(_ format: RowFormat, width: Int, style: Style) -> String {
    let text = RowText(
      columns, format, sample: rows, foremost: leading, width: width, style: style)
    let lines = rows.enumerated().map { text.row($0.element, isFirst: $0.offset == 0) }
    return text.head + lines.joined() + text.end(isEmpty: rows.isEmpty)
  }

  /// The rows as objects.
  var objects: [JSONValue] {
    rows.map { row in .object(zip(columns, row).map { (key: $0, value: $1.json) }) }
  }

  /// The columns for which a table of this width has no room.
  func leftOut(_ width: Int) -> [String] {
    TableLayout(columns, sample: rows, foremost: leading, width: width).leftOut
  }
}
