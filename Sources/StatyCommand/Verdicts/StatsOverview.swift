import StatyHistory

/// The most important rows of each view, on one page.
struct StatsOverview {
  private let report: ViewReport

  private static let parts: [(title: String, view: ReportedView)] = [
    ("Longest on screen (dwell)", .dwell), ("Longest pending (waits)", .waits),
    ("Made most often (transitions)", .transitions), ("Took longest (slowest)", .slowest),
    ("Cannot go on (stuck)", .stuck),
  ]
  /// How many rows of each view are printed.
  private static let most = 5

  init(_ arguments: ParsedArguments) {
    report = ViewReport(arguments, arguments.words, namesFiles: false)
  }

  /// Refuses formats of one table.
  static func check(_ arguments: ParsedArguments) throws(UsageError) {
    guard let format = arguments.rowFormat, !format.isForPeople else { return }
    throw arguments.misuse(
      "'--format \(format.rawValue)' prints one table. Say which, as in 'stats dwell'.")
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    try refuseMisplacedView(run)
    let delivery = try Delivery(report.output, run.console)
    let statuses = try text(run, delivery)
    try delivery.finish()
    return .worst(of: statuses)
  }

  /// Fails before anything is printed if a view was misspelled or named in the wrong place.
  private func refuseMisplacedView(_ run: ToolRun) throws {
    let paths = report.paths
    guard let place = paths.firstIndex(where: { !WholeFile.isThere($0) }), paths.count > 1,
      let view = Spelling.nearest(to: paths[place], among: Self.parts.map(\.view.name))
    else { return }
    let file = paths[place == 0 ? 1 : 0]
    throw Failure(
      status: .usage,
      message: "There is no file '\(paths[place])'. Did you mean the view '\(view)'?",
      advice: view == ReportedView.stuck.name
        ? "It has a subcommand of its own: 'stuck \(file)'."
        : "Its name stands before the files: 'stats \(view) \(file)'.")
  }

  private func text(_ run: ToolRun, _ delivery: Delivery) throws -> [ExitCode] {
    let sections = TextSections(width: run.console.width, style: run.style)
    var isFirst = true
    var leftOut = false
    let statuses = try run.overFiles(report.paths) { history in
      try history.doing("Summing up") { reader in
        var text = isFirst ? "" : "\n"
        isFirst = false
        text += sections.block(try headline(history, reader), indent: 0)
        for (title, view) in Self.parts {
          var table = report.table(view)
          let isCut = try report.add(view, of: history, reader, to: &table, most: Self.most)
          leftOut = leftOut || !table.leftOut(run.console.tableWidth).isEmpty
          text += section(title + (isCut ? ", the first \(Self.most)" : ""), table, run)
        }
        try delivery.write(text)
        try report.noteDamage(history, run)
      }
      return .done
    }
    if leftOut, report.format == .table { run.noteLeftOut(["some columns"]) }
    return statuses
  }

  private func headline(_ history: OpenHistory, _ reader: HistoryReader) throws -> String {
    let sessions = try report.choice.sessions(of: history, verifying: false)
    let events = sessions.reduce(0) { $0 &+ $1.stored }
    let losses = try sessions.flatMap { try reader.losses(session: $0.id) }
    let what =
      report.choice.session.map { "session \($0)" } ?? Decimal.count(sessions.count, "session")
    return "\(history.called): \(what), \(Decimal.count(events, "event")). "
      + Soundness.gaps(losses)
  }

  private func section(_ title: String, _ table: RowTable, _ run: ToolRun) -> String {
    let heading = TextSections(width: run.console.width, style: run.style).heading(title)
    if table.rows.isEmpty { return "\n" + heading + "  none\n" }
    return "\n" + (report.format == .table ? heading : "\(title)\n\n")
      + table.text(report.format, width: run.console.tableWidth, style: run.style)
  }
}
