import StatyHistory

/// The most important rows of each view, on one page.
struct StatsOverview {
  private let paths: [String]
  private let report: ViewReport
  private let choice: SessionChoice
  private let format: RowFormat
  private let output: OutputChoice

  private typealias Part = (title: String, view: ReportedView, most: Int)

  private static let parts: [Part] = [
    ("In longest (dwell)", .dwell, 5),
    ("Waited longest (waits)", .waits, 5),
    ("Made most often (transitions)", .transitions, 5),
    ("Took longest (slowest)", .slowest, 5),
    ("Cannot go on (stuck)", .stuck, 5),
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.arguments
    report = try ViewReport(arguments)
    choice = try SessionChoice(arguments)
    output = OutputChoice(arguments)
    format = try arguments.rowFormat() ?? .table
    guard format.isForPeople else {
      throw arguments.misuse(
        "'--format \(format.rawValue)' prints one table. Say which, as in 'stats dwell'.")
    }
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    try refuseMisplacedView(run)
    let delivery = try Delivery(output, run.console)
    let statuses = try text(run, delivery)
    try delivery.finish()
    return .worst(of: statuses)
  }

  /// Fails before anything is printed if a view was misspelled or named in the wrong place.
  private func refuseMisplacedView(_ run: ToolRun) throws {
    guard let place = paths.firstIndex(where: { !WholeFile.isThere($0) }), paths.count > 1,
      let view = Spelling.nearest(to: paths[place], among: Self.parts.map(\.view.name))
    else { return }
    // The view of stuck visits has a subcommand of its own.
    let words = (view == ReportedView.stuck.name ? "" : "stats ") + view
    throw Failure(
      status: .usage,
      message: "There is no file '\(paths[place])'. Did you mean the view '\(view)'?",
      advice: "Its name stands before the files: '\(words) \(paths[place == 0 ? 1 : 0])'.")
  }

  private func text(_ run: ToolRun, _ delivery: Delivery) throws -> [ExitCode] {
    let sections = TextSections(width: run.console.width, style: run.style)
    var isFirst = true
    var leftOut = false
    let statuses = try run.overFiles(paths) { history in
      try history.doing("Summing up") { reader in
        var text = isFirst ? "" : "\n"
        isFirst = false
        text += sections.block(try headline(history, reader), indent: 0)
        for part in Self.parts {
          let table = try table(part, history, reader)
          leftOut = leftOut || !table.leftOut(run.console.tableWidth).isEmpty
          text += section(part, table, run)
        }
        try delivery.write(text)
        history.noteDamage(try report.sessions(of: history), run)
      }
      return .done
    }
    if leftOut, format == .table {
      run.noteLeftOut(["some columns"])
    }
    return statuses
  }

  private func headline(_ history: OpenHistory, _ reader: HistoryReader) throws -> String {
    let sessions = try choice.sessions(of: history, verifying: false)
    let events = sessions.reduce(0) { $0 &+ $1.stored }
    let losses = try sessions.flatMap { try reader.losses(session: $0.id) }
    let what =
      choice.session.map { "session \($0)" } ?? Decimal.count(sessions.count, "session")
    return "\(history.called): \(what), \(Decimal.count(events, "event")). "
      + Soundness.gaps(losses)
  }

  /// The first rows of a view.
  private func table(
    _ part: Part, _ history: OpenHistory, _ reader: HistoryReader
  ) throws -> RowTable {
    var table = report.table(part.view, [history.path], .table)
    table.isCut = try report.add(
      part.view, of: history, reader, among: [history.path], to: &table, .table, most: part.most)
    return table
  }

  private func section(_ part: Part, _ table: RowTable, _ run: ToolRun) -> String {
    let title = part.title + (table.isCut ? ", the first \(part.most)" : "")
    let heading = TextSections(width: run.console.width, style: run.style).heading(title)
    if table.rows.isEmpty { return "\n" + heading + "  none\n" }
    return "\n" + (format == .table ? heading : "\(title)\n\n")
      + table.text(format, width: run.console.tableWidth, style: run.style)
  }
}
