import StatyHistory

/// The rows of each view that matter most, on one page.
struct StatsOverview {
  private let paths: [String]
  private let report: ViewReport
  private let choice: SessionChoice
  private let format: RowFormat
  private let output: OutputChoice

  private static let parts: [(title: String, view: ReportedView, most: Int)] = [
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
    guard format == .table || format == .markdown else {
      throw arguments.misuse(
        "'--format \(format.rawValue)' prints one table. Say which, as in 'stats dwell'.")
    }
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let delivery = try Delivery(output, run.console)
    let sections = TextSections(width: run.console.width, style: run.style)
    var isFirst = true
    let statuses = try run.overFiles(paths, needsViews: true) { history in
      try history.doing("Summing up") { reader in
        var text = isFirst ? "" : "\n"
        isFirst = false
        text += sections.block(try headline(history, reader), indent: 0)
        for part in Self.parts {
          text += try section(part, history, reader, run)
        }
        try delivery.write(text)
      }
      return .done
    }
    try delivery.finish()
    return .worst(of: statuses)
  }

  private func headline(_ history: OpenHistory, _ reader: HistoryReader) throws -> String {
    let sessions = try choice.sessions(of: history)
    let events = sessions.reduce(0) { $0 &+ $1.stored }
    let losses = try sessions.flatMap { try reader.losses(session: $0.id) }
    let what =
      choice.session.map { "session \($0)" } ?? Decimal.count(sessions.count, "session")
    return "\(history.called): \(what), \(Decimal.count(events, "event")). "
      + Soundness.gaps(losses)
  }

  private func section(
    _ part: (title: String, view: ReportedView, most: Int), _ history: OpenHistory,
    _ reader: HistoryReader, _ run: ToolRun
  ) throws -> String {
    var table = report.table(part.view, [history.path], .table)
    let isCut = try report.add(
      part.view, of: history, reader, among: [history.path], to: &table, .table, most: part.most)
    let title = part.title + (isCut ? ", the first \(part.most)" : "")
    let heading = TextSections(width: run.console.width, style: run.style).heading(title)
    if table.rows.isEmpty { return "\n" + heading + "  none\n" }
    return "\n" + (format == .table ? heading : "\(title)\n\n")
      + table.text(format, width: run.console.tableWidth, style: run.style)
  }
}
