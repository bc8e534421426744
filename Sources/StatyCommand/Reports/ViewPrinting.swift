import StatyHistory

/// Prints the rows of one view of some files.
struct ViewPrinting {
  private let view: ReportedView
  private let paths: [String]
  private let report: ViewReport
  private let format: RowFormat
  private let output: OutputChoice

  init(
    _ arguments: ParsedArguments, _ view: ReportedView, _ paths: [String]
  ) throws(UsageError) {
    self.view = view
    self.paths = paths
    report = try ViewReport(arguments)
    format = try arguments.rowFormat() ?? .table
    output = OutputChoice(arguments)
  }

  func run(_ run: ToolRun, whenEmpty: String) throws -> ExitCode {
    let delivery = try Delivery(output, run.console)
    var table = report.table(view, paths, format)
    var isCut = false
    let statuses = try run.overFiles(paths) { history in
      try history.doing("Reading the view '\(view.name)' of") { reader in
        isCut =
          try report.add(view, of: history, reader, among: paths, to: &table, format) || isCut
        history.noteDamage(try report.sessions(of: history), run)
      }
      return .done
    }
    if format == .table, table.rows.isEmpty {
      if statuses.allSatisfy({ $0 == .done }) { run.note(whenEmpty) }
    } else {
      run.noteLeftOut(table, format)
      try delivery.write(table.text(format, width: run.console.tableWidth, style: run.style))
      if isCut { run.note("Note: there are more rows; '--limit 0' prints all.") }
    }
    try delivery.finish()
    return .worst(of: statuses)
  }
}
