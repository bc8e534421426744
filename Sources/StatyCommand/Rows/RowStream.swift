/// Prints rows as they come: memory does not grow with their number.
///
/// The columns of a table are as wide as the first rows need, and the hints about later rows. Wider
/// cells in later rows are cut only on a terminal.
struct RowStream {
  private let columns: [String]
  private let format: RowFormat
  private let hints: [Int]
  private let foremost: [String]
  private let run: ToolRun
  private let delivery: Delivery
  private var sample: [[Cell]] = []
  private var sampleBytes = 0
  private var text: RowText?
  /// The number of rows.
  private(set) var count: Int64 = 0

  /// The number of rows, and of their bytes, that are kept first to choose the column widths.
  private static let sampleRows = 200
  private static let mostSampleBytes = 1 << 20

  /// - Parameters:
  ///   - hints: the widest cells of later rows, column by column.
  ///   - foremost: the most important columns if there is little room, in order of importance.
  init(
    _ columns: [String], _ format: RowFormat, hints: [Int] = [], foremost: [String] = [],
    run: ToolRun, to delivery: Delivery
  ) {
    self.columns = columns
    self.format = format
    self.hints = hints
    self.foremost = foremost
    self.run = run
    self.delivery = delivery
  }

  /// Adds a row, and prints it unless it is kept to choose the column widths.
  mutating func add(_ cells: [Cell]) throws {
    precondition(cells.count == columns.count, "A row has a cell for every column.")
    count += 1
    if let text { return try delivery.write(text.row(cells, isFirst: false)) }
    sample.append(cells)
    guard format.isForPeople else { return try settle() }
    sampleBytes += cells.reduce(0) { $0 + $1.plain.utf8.count }
    if sample.count >= Self.sampleRows || sampleBytes >= Self.mostSampleBytes { try settle() }
  }

  /// Prints the kept rows, because more may not come for a long time.
  mutating func settle() throws {
    guard text == nil, !sample.isEmpty else { return }
    try begin()
  }

  private mutating func begin() throws {
    let text = RowText(
      columns, format, sample: sample, hints: hints, foremost: foremost,
      width: run.console.tableWidth, style: run.style)
    run.noteLeftOut(text.leftOut)
    try delivery.write(text.head)
    for (place, row) in sample.enumerated() {
      try delivery.write(text.row(row, isFirst: place == 0))
    }
    sample = []
    self.text = text
  }

  /// Prints what is left; for a table without rows, nothing.
  mutating func finish() throws {
    if text == nil {
      if format == .table, sample.isEmpty { return }
      try begin()
    }
    if let text { try delivery.write(text.end(isEmpty: count == 0)) }
  }
}
