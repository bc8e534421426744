/// The formats of printed rows.
enum RowFormat: String, CaseIterable {
  case table, json, ndjson, csv, markdown

  /// Whether the format is for reading, not for programs.
  var isForPeople: Bool { self == .table || self == .markdown }
}

/// A few rows with the same columns, kept until they are printed.
///
/// Longer results are printed as they come, by ``RowStream``.
struct RowTable {
  /// The names of the columns, as the view or the verb calls them.
  let columns: [String]
  /// The most important columns if there is little room, in order of importance.
  var foremost: [String] = []
  /// The columns that precede those if they distinguish rows.
  var identity: [String] = []
  /// The widest cells of later rows, column by column, if they are known.
  var hints: [Int] = []
  /// The rows, each with a cell for every column.
  private(set) var rows: [[Cell]] = []

  init(_ columns: [String], foremost: [String] = [], identity: [String] = [], hints: [Int] = []) {
    (self.columns, self.foremost) = (columns, foremost)
    (self.identity, self.hints) = (identity, hints)
  }

  /// The most important columns of these rows; a column with equal values distinguishes nothing.
  var leading: [String] {
    identity.filter { name in
      guard let place = columns.firstIndex(of: name), let first = rows.first else { return false }
      return rows.contains { $0[place] != first[place] }
    } + foremost
  }

  mutating func add(_ cells: [Cell]) {
    precondition(cells.count == columns.count, "A row has a cell for every column.")
    rows.append(cells)
  }

  /// The rows in this format.
  ///
  /// - Parameter width: the most columns of a table, which leaves out what has no room; other
  ///   formats have no limit.
  func text(_ format: RowFormat, width: Int, style: Style) -> String {
    RowText(self, format, width: width, style: style).whole
  }

  /// The columns for which a table of this width has no room.
  func leftOut(_ width: Int) -> [String] { TableLayout(self, width: width).leftOut }
}
