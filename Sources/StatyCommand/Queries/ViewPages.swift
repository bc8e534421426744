import StatyReading
import StatyReport

/// The meaning of the views of a history, column by column.
enum ViewPages {
  /// As text.
  static func text(width: Int, style: Style) -> String {
    HistoryViews.names.map { view in
      let columns = HistoryViews.documentation.filter { $0.view == view }
      let head = TextWrap.lines(
        "\(view): one row per \(HistoryViews.row(of: view)).", width: width)
      let column = (columns.map(\.column.count).max() ?? 0) + 2
      let lines = columns.flatMap {
        width < 60
          ? ["  " + $0.column] + TextWrap.hanging($0.sentence, after: "      ", width: width)
          : TextWrap.hanging(
            $0.sentence, after: "  " + DisplayWidth.pad($0.column, to: column), width: width)
      }
      return ([style.bold(head[0])] + head.dropFirst() + lines).map { $0 + "\n" }.joined()
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
