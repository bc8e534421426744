import StatyReport

/// The columns of a table and their widths: chosen from the first rows, kept for all.
struct TableLayout {
  private let columns: [String]
  private let widths: [Int]
  /// Which columns have numbers.
  let isNumber: [Bool]
  /// The columns for which there is room.
  private let shown: [Int]
  private let width: Int

  /// - Parameters:
  ///   - sample: the rows that it is chosen from.
  ///   - width: the most columns of a line; `.max` without a terminal.
  init(_ sample: RowTable, width: Int) {
    let columns = sample.columns
    self.columns = columns
    self.width = width
    let wanted = columns.indices.map { column in
      let widest = sample.rows.map { DisplayWidth.of($0[column].plain.visible) }.max() ?? 0
      let hint = sample.hints.indices.contains(column) ? sample.hints[column] : 0
      return max(DisplayWidth.of(columns[column].visible), widest, hint)
    }
    let isNumber = columns.indices.map { column in
      sample.rows.first { $0[column] != .nothing }?[column].isNumber ?? false
    }
    self.isNumber = isNumber
    var first: [Int] = []
    for column in sample.leading.compactMap(columns.firstIndex) where !first.contains(column) {
      first.append(column)
    }
    let order = first + columns.indices.filter { !first.contains($0) }
    let fits = Self.enough.map { enough in
      // A number that is cut at its end looks like another number.
      let least = columns.indices.map { min(wanted[$0], isNumber[$0] ? Self.enough[0] : enough) }
      return Fit(shown: Self.fit(least, order, into: width), least: least)
    }
    // As many as possible of the most important columns, each as wide as possible then.
    let best = fits.indices.max { one, other in
      let (few, more) = (fits[one].count(of: first), fits[other].count(of: first))
      return few == more ? one > other : few < more
    }
    let fit = fits[best ?? 0]
    shown = fit.shown
    var widths = shown.map { wanted[$0] }
    Self.shrink(&widths, fit.shown.map { fit.least[$0] }, to: width)
    self.widths = widths
  }

  /// The columns for which there is no room.
  var leftOut: [String] { columns.indices.filter { !shown.contains($0) }.map { columns[$0] } }

  /// The line of the columns' names.
  func head(_ style: Style) -> String {
    style.bold(line(shown.map { columns[$0].visible }) { isNumber[shown[$0]] }) + "\n"
  }

  /// The line of a row.
  func line(_ cells: [Cell]) -> String {
    line(shown.map { cells[$0].plain.visible }) { cells[shown[$0]].isNumber } + "\n"
  }

  private func line(_ texts: [String], isNumber: (Int) -> Bool) -> String {
    var line = ""
    var used = 0
    for (column, text) in texts.enumerated() {
      if column > 0 { line += "  " }
      // The last column may have what is left. Without a terminal nothing is cut: a wider cell in a
      // later row moves what follows to the right.
      let most = width == .max ? .max : column == shown.count - 1 ? width - used : widths[column]
      let cut = DisplayWidth.cut(text, to: max(most, widths[column]))
      let space = String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(cut)))
      line += isNumber(column) ? space + cut.isolated : cut.isolated + space
      used += widths[column] + 2
    }
    return line.trimmed
  }

  /// The widths at which a column distinguishes rows; the smaller ones are used only if necessary.
  private static let enough = [12, 10, 8, 6]

  /// The columns that fit if each has only this width.
  private struct Fit {
    let shown: [Int]
    let least: [Int]

    func count(of columns: [Int]) -> Int { columns.count { shown.contains($0) } }
  }

  /// The columns that fit, the most important ones first.
  private static func fit(_ least: [Int], _ order: [Int], into width: Int) -> [Int] {
    var used = -2
    var shown: [Int] = []
    for column in order {
      used += 2 + least[column]
      if used > width, !shown.isEmpty { break }
      shown.append(column)
    }
    return shown.sorted()
  }

  /// Narrows the last columns first, and leaves enough of each to distinguish rows.
  private static func shrink(_ widths: inout [Int], _ least: [Int], to width: Int) {
    var excess = widths.reduce(2 * (widths.count - 1), +) - width
    for column in widths.indices.reversed() where excess > 0 {
      let taken = min(excess, widths[column] - least[column])
      widths[column] -= taken
      excess -= taken
    }
  }
}
