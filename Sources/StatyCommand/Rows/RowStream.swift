/// Prints rows as they come: what is in memory does not grow with their number.
///
/// A table's columns are as wide as the first rows need, and what is known beforehand of those that
/// follow. Later cells that are wider are cut where there is a terminal, and nowhere else.
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
  /// How many rows there have been.
  private(set) var count: Int64 = 0

  /// So many rows, and bytes of them, are waited for to see how wide they are.
  private static let sampleRows = 200
  private static let mostSampleBytes = 1 << 20

  /// - Parameters:
  ///   - hints: how wide cells may be that come later, column by column.
  ///   - foremost: the columns that matter most where there is little room, the first most.
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

  /// Takes in a row, and prints it unless it waits for others.
  mutating func add(_ cells: [Cell]) throws {
    precondition(cells.count == columns.count, "A row has a cell for every column.")
    count += 1
    if let text { return try delivery.write(text.row(cells, isFirst: false)) }
    sample.append(cells)
    guard format.isForPeople else { return try settle() }
    sampleBytes += cells.reduce(0) { $0 + $1.plain.utf8.count }
    if sample.count >= Self.sampleRows || sampleBytes >= Self.mostSampleBytes { try settle() }
  }

  /// Prints the rows that wait: nobody knows when there will be more.
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

  /// Prints what is left; of a table without rows, nothing.
  mutating func finish() throws {
    if text == nil {
      if format == .table, sample.isEmpty { return }
      try begin()
    }
    if let text { try delivery.write(text.end(isEmpty: count == 0)) }
  }
}
