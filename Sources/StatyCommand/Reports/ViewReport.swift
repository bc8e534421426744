import StatyHistory

/// Rows of a view in the format that the command line selects.
struct ViewReport {
  private let choice: SessionChoice
  private let states: [String]
  private let limit: Int64?

  static let options: [OptionSpec] =
    SessionChoice.options + [
      .valued("state", "name", "Only the states with this name.").repeatable,
      .valued(
        "limit", "n",
        "How many rows of a file to print; 0 for all. Default: 20 in a table or Markdown, else all."
      ),
    ] + .rows

  init(_ arguments: ParsedArguments) throws(UsageError) {
    choice = try SessionChoice(arguments)
    states = arguments.texts("state")
    limit = try arguments.number("limit", in: 0...Int64.max)
  }

  /// The empty table for the rows of a view of some files.
  func table(_ view: ReportedView, _ paths: [String], _ format: RowFormat) -> RowTable {
    let file = hasFile(paths, format) ? ["file"] : []
    func called(_ columns: [ReportedView.Column]) -> [String] {
      file + columns.map { shows(format) ? $0.shownName : $0.name }
    }
    let columns = view.columns
    let foremost = view.foremost.compactMap { name in columns.first { $0.name == name } }
    let identity = columns.filter { ["session", "controller"].contains($0.name) }
    return RowTable(
      called(columns), foremost: foremost.map { shows(format) ? $0.shownName : $0.name },
      identity: called(identity))
  }

  /// The sessions with rows to add, in the order of the file.
  func sessions(of history: OpenHistory) throws -> [SessionRecord] {
    try choice.sessions(of: history, verifying: false)
  }

  /// Adds a file's rows; returns whether more were left out.
  func add(
    _ view: ReportedView, of history: OpenHistory, _ reader: HistoryReader, among paths: [String],
    to table: inout RowTable, _ format: RowFormat, most: Int? = nil
  ) throws -> Bool {
    let sessions = try sessions(of: history)
    try choice.checkNames(sessions, of: history)
    var query = ViewQuery(view.name)
    query.session = choice.session
    query.controllers = choice.controllers
    (query.states, query.stateColumns) = (states, view.stateColumns)
    query.largest = view.largest
    let most = most ?? self.most(format)
    query.limit = most.map { $0 == .max ? $0 : $0 + 1 }
    let rows = try reader.rows(query)
    for row in rows.prefix(most ?? .max) {
      let cells = zip(view.columns, row).map { cell($1, $0, format) }
      table.add(hasFile(paths, format) ? [.text(history.path)] + cells : cells)
    }
    return rows.count > most ?? .max
  }

  private func most(_ format: RowFormat) -> Int? {
    if limit == 0 { return nil }
    if let limit { return Int(clamping: limit) }
    return format == .table || format == .markdown ? 20 : nil
  }

  private func hasFile(_ paths: [String], _ format: RowFormat) -> Bool {
    paths.count > 1 || format != .table
  }

  /// Whether the format is for reading.
  private func shows(_ format: RowFormat) -> Bool {
    format == .table || format == .markdown
  }

  private func cell(_ value: QueryValue, _ column: ReportedView.Column, _ format: RowFormat) -> Cell
  {
    guard shows(format) else { return Self.raw(value) }
    switch (column.meaning, value) {
    case (.duration, .real(let milliseconds)):
      return .figure(Decimal.duration(Self.microseconds(milliseconds)))
    case (.moment, .real(let milliseconds)):
      return .figure(Decimal.moment(Self.microseconds(milliseconds)))
    case (.percent, .real(let percent)): return .figure(Decimal.text(percent, digits: 1) + " %")
    case (.answer, .integer(let answer)): return .text(answer == 0 ? "no" : "yes")
    default: return Self.raw(value)
    }
  }

  private static func microseconds(_ milliseconds: Double) -> Int64 {
    Int64(exactly: (milliseconds * 1_000).rounded()) ?? .max
  }

  private static func raw(_ value: QueryValue) -> Cell {
    switch value {
    case .null: .nothing
    case .integer(let integer): .integer(integer)
    case .real(let real): .decimal(real, digits: 3)
    case .text(let text): .text(text)
    case .blob(let bytes): .text(String(decoding: bytes, as: UTF8.self))
    }
  }
}

/// A view that a verb prints.
struct ReportedView {
  /// What a column's numbers mean.
  enum Meaning { case plain, duration, moment, percent, answer }

  struct Column {
    let name: String
    let meaning: Meaning

    /// Its name if the unit is printed with the number.
    var shownName: String {
      switch meaning {
      case .duration, .moment: String(name.dropLast("_ms".count))
      case .plain, .percent, .answer: name
      }
    }
  }

  let name: String
  /// The column to sort by, with the largest values first.
  var largest: String?
  var stateColumns = ["state"]
  /// The most important columns, in order of importance.
  ///
  /// Columns with the controller or the file precede them if there are several.
  let foremost: [String]

  static let dwell = ReportedView(
    name: "dwell", largest: "total_ms", foremost: ["state", "total_ms", "visits", "controller"])
  static let waits = ReportedView(
    name: "waits", largest: "max_ms", foremost: ["state", "max_ms", "visits", "controller"])
  static let transitions = ReportedView(
    name: "transitions", largest: "n", stateColumns: ["from", "to"],
    foremost: ["from", "to", "n", "p50_ms"])
  static let slowest = ReportedView(
    name: "slowest", stateColumns: ["from", "to"], foremost: ["from", "to", "total_ms", "visit"])
  static let stuck = ReportedView(
    name: "stuck", foremost: ["state", "visit", "reason", "waited_ms"])

  /// Its columns, as they are documented.
  var columns: [Column] {
    HistoryViews.documentation.filter { $0.view == name }.map { column in
      let meaning: Meaning =
        switch column.column {
        case "enqueued_ms": .moment
        case "percent": .percent
        case "declared": .answer
        case let name where name.hasSuffix("_ms"): .duration
        default: .plain
        }
      return Column(name: column.column, meaning: meaning)
    }
  }
}
