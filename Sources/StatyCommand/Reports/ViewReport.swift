import StatyHistory
import StatyReading

/// Rows of views of some files, in the format that the command line selects.
struct ViewReport {
  let paths: [String]
  let choice: SessionChoice
  let format: RowFormat
  let output: OutputChoice
  private let states: [String]
  private let limit: Int?
  private let hasFile: Bool

  static let options: [OptionSpec] =
    SessionChoice.options + [
      .valued("state", "name", "Only the states with this name.").repeatable,
      .valued(
        "limit", "n",
        "How many rows of a file to print; 0 for all. Default: 20 in a table or Markdown, else all."
      ),
    ] + .rows

  /// - Parameter namesFiles: whether rows name their file if there are several files, or for
  ///   programs.
  init(
    _ arguments: ParsedArguments, _ paths: [String], namesFiles: Bool = true
  ) {
    self.paths = paths
    choice = SessionChoice(arguments)
    format = arguments.rowFormat ?? .table
    output = arguments.output
    states = arguments.texts("state")
    limit = arguments.has("limit") ? arguments.limit() : nil
    hasFile = namesFiles && (paths.count > 1 || format != .table)
  }

  /// Prints the rows of one view.
  func print(_ view: ReportedView, _ run: ToolRun, whenEmpty: String) throws -> ExitCode {
    let delivery = try Delivery(output, run.console)
    var table = table(view)
    var isCut = false
    let statuses = try run.overFiles(paths) { history in
      try history.doing("Reading the view '\(view.name)' of") { reader in
        isCut = try add(view, of: history, reader, to: &table, most: most(view)) || isCut
        if view.showsEvents { try noteDamage(history, run) }
      }
      return .done
    }
    if format == .table, table.rows.isEmpty {
      if statuses.allSatisfy({ $0 == .done }) { run.note(whenEmpty) }
    } else {
      if format == .table { run.noteLeftOut(table.leftOut(run.console.tableWidth)) }
      try delivery.write(table.text(format, width: run.console.tableWidth, style: run.style))
      if isCut { run.note("Note: there are more rows; '--limit 0' prints all.") }
    }
    try delivery.finish()
    return .worst(of: statuses)
  }

  /// The empty table for the rows of a view.
  func table(_ view: ReportedView) -> RowTable {
    let columns = view.columns
    func called(_ names: [String]) -> [String] {
      names.compactMap { name in columns.first { $0.column == name } }.map(shown)
    }
    let file = hasFile ? ["file"] : []
    return RowTable(
      file + columns.map(shown), foremost: called(view.foremost),
      identity: file + called(["session", "controller"]))
  }

  /// Adds the first rows of a file; returns whether more were left out.
  func add(
    _ view: ReportedView, of history: OpenHistory, _ reader: HistoryReader,
    to table: inout RowTable, most: Int
  ) throws -> Bool {
    try choice.checkNames(choice.sessions(of: history, verifying: false), of: history)
    // Of several files, some may lack a state that others have.
    if paths.count == 1 { try history.checkStates(states) }
    var query = ViewQuery(view.name)
    query.session = choice.session
    query.controllers = choice.controllers
    (query.states, query.stateColumns) = (states, view.stateColumns)
    query.largest = view.largest
    query.limit = most == .max ? nil : most + 1
    let rows = try reader.rows(query)
    let columns = view.columns
    let places = columns.map(view.place)
    for row in rows.prefix(most) {
      let cells = zip(columns, places).map { cell(row[$1], $0) }
      table.add(hasFile ? [.text(history.path)] + cells : cells)
    }
    return rows.count > most
  }

  /// Reports which of the sessions with rows differ from what was stored.
  func noteDamage(_ history: OpenHistory, _ run: ToolRun) throws {
    history.noteDamage(try choice.sessions(of: history, verifying: false), run)
  }

  private func most(_ view: ReportedView) -> Int {
    limit ?? (format.isForPeople && view.showsEvents ? 20 : .max)
  }

  /// The name of a column; for people, the unit is printed with the number.
  private func shown(_ column: HistoryViews.Column) -> String {
    let hasUnit = format.isForPeople && [.duration, .moment].contains(column.kind)
    return hasUnit ? String(column.column.dropLast("_ms".count)) : column.column
  }

  private func cell(_ value: QueryValue, _ column: HistoryViews.Column) -> Cell {
    guard format.isForPeople else { return Self.raw(value) }
    switch (column.kind, value) {
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
  let name: String
  /// The column to sort by, with the largest values first.
  var largest: String?
  var stateColumns = ["state"]
  /// The most important columns, in order of importance.
  ///
  /// Columns with the controller or the file precede them if there are several.
  let foremost: [String]
  /// The columns that are printed; all if none is named.
  var printed: [String] = []
  /// Whether its rows say something of events, which may differ from those that were stored.
  var showsEvents = true

  static let sessions = ReportedView(
    name: "sessions", foremost: [],
    printed: [
      "session", "started_at", "duration_ms", "ended", "controllers", "events", "lost", "app",
      "app_version", "os", "uuid",
    ], showsEvents: false)
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

  private var all: [HistoryViews.Column] { HistoryViews.documentation.filter { $0.view == name } }

  /// The columns that are printed, as they are documented.
  var columns: [HistoryViews.Column] {
    printed.isEmpty ? all : printed.compactMap { name in all.first { $0.column == name } }
  }

  /// The place of a column in the view's rows.
  func place(_ column: HistoryViews.Column) -> Int { all.firstIndex(of: column)! }
}
