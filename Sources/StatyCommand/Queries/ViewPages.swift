import StatyHistory

/// The meaning of the views of a history, column by column.
enum ViewPages {
  /// As text.
  static func text(width: Int, style: Style) -> String {
    HistoryViews.names.map { view in
      let columns = HistoryViews.documentation.filter { $0.view == view }
      let head = TextWrap.lines(
        "\(view): one row per \(HistoryViews.row(of: view)).", width: width)
      let isNarrow = width < 60
      let indent = isNarrow ? 6 : 2 + (columns.map(\.column.count).max() ?? 0) + 2
      return style.bold(head[0]) + "\n" + head.dropFirst().map { $0 + "\n" }.joined()
        + columns.map { column in
          let lines = TextWrap.lines(column.sentence, width: width - indent)
          let space = String(repeating: " ", count: indent)
          let name = "  " + column.column
          let padded = name + String(repeating: " ", count: max(0, indent - name.count))
          return isNarrow
            ? name + "\n" + lines.map { space + $0 + "\n" }.joined()
            : padded + lines.joined(separator: "\n" + space) + "\n"
        }.joined()
    }.joined(separator: "\n")
  }

  /// As rows.
  static var rows: RowTable {
    var table = RowTable(["view", "column", "says"])
    for column in HistoryViews.documentation {
      table.add([.text(column.view), .text(column.column), .text(column.sentence)])
    }
    return table
  }
}
