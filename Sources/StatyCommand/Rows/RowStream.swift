/// Prints rows as they come: memory does not grow with their number.
///
/// The columns of a table are as wide as the first rows need, and the hints about later rows. Wider
/// cells in later rows are cut only on a terminal.
struct RowStream {
  private let format: RowFormat
  private let run: ToolRun
  private let delivery: Delivery
  /// The rows that are kept to choose the column widths.
  private var sample: RowTable
  private var sampleBytes = 0
  private var text: RowText?
  /// The number of rows.
  private(set) var count = 0

  /// The number of rows, and of their bytes, that are kept first to choose the column widths.
  private static let sampleRows = 200
  private static let mostSampleBytes = 1 << 20

  /// - Parameter table: the columns, without rows yet.
  init(_ table: RowTable, _ format: RowFormat, run: ToolRun, to delivery: Delivery) {
    sample = table
    (self.format, self.run, self.delivery) = (format, run, delivery)
  }

  /// Adds a row, and prints it unless it is kept to choose the column widths.
  mutating func add(_ cells: [Cell]) throws {
    count += 1
    if let text { return try delivery.write(text.row(cells, isFirst: false)) }
    sample.add(cells)
    guard format.isForPeople else { return try settle() }
    sampleBytes += cells.reduce(0) { $0 + $1.plain.utf8.count }
    if sample.rows.count >= Self.sampleRows || sampleBytes >= Self.mostSampleBytes { try settle() }
  }

  /// Prints the kept rows, because more may not come for a long time.
  mutating func settle() throws {
    guard text == nil, !sample.rows.isEmpty else { return }
    try begin()
  }

  private mutating func begin() throws {
    let text = RowText(sample, format, width: run.console.tableWidth, style: run.style)
    run.noteLeftOut(text.leftOut)
    try delivery.write(text.beginning)
    self.text = text
  }

  /// Prints what is left; for a table without rows, nothing.
  mutating func finish() throws {
    if text == nil {
      if format == .table, sample.rows.isEmpty { return }
      try begin()
    }
    if let text { try delivery.write(text.end(isEmpty: count == 0)) }
  }
}
