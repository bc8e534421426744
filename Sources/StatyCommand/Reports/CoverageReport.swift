import StatyHistory
import StatyRules

/// What histories have touched, added up over all of them.
struct CoverageReport {
  private let paths: [String]
  private let choice: SessionChoice
  private let states: Set<String>
  private let isRaw: Bool
  private let limit: Int64
  private let format: RowFormat
  private let output: OutputChoice

  init(_ arguments: ParsedArguments, _ paths: [String]) throws(UsageError) {
    self.paths = paths
    choice = try SessionChoice(arguments)
    states = Set(arguments.texts("state"))
    isRaw = arguments.has("raw")
    limit = try arguments.number("limit", in: 0...Int64.max) ?? 0
    format = try arguments.rowFormat() ?? .table
    output = OutputChoice(arguments)
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let delivery = try Delivery(output, run.console)
    var (coverage, sessions, files) = (Coverage(), 0, 0)
    let statuses = try run.overFiles(paths) { history in
      try history.doing("Adding up what was touched in") { reader in
        let chosen = try choice.sessions(of: history, verifying: false)
        try choice.checkNames(chosen, of: history)
        for session in chosen {
          coverage.merge(try HistoryCoverage(reader).session(session) { choice.means($0) })
        }
        history.noteDamage(chosen, run)
        sessions += chosen.count
        files += 1
      }
      return .done
    }
    let isForPeople = format.isForPeople && !isRaw
    if isForPeople, coverage.controllers.isEmpty {
      if statuses.allSatisfy({ $0 == .done }) { run.note("No controller was recorded.") }
    } else if isForPeople {
      try explain(coverage, sessions, files, run, delivery)
    } else {
      try list(coverage, run, delivery)
    }
    try delivery.finish()
    return .worst(of: statuses)
  }

  private func means(_ state: String?, _ other: String? = nil) -> Bool {
    if states.isEmpty { return true }
    return [state, other].compactMap(\.self).contains(where: states.contains)
  }

  private func moves(_ touched: ControllerCoverage) -> [ControllerCoverage.MoveRow] {
    touched.moveRows.filter { row in
      if case .state(let name) = row.move.start { return means(name, row.move.to) }
      return means(row.move.to)
    }
  }

  private func pairs(_ touched: ControllerCoverage) -> [ControllerCoverage.PairRow] {
    touched.pairRows.filter { means($0.pair.state) }
  }
}

// MARK: For programs

extension CoverageReport {
  private func list(_ coverage: Coverage, _ run: ToolRun, _ delivery: Delivery) throws {
    var rows = RowStream(CoverageRows.columns, format, run: run, to: delivery)
    for (controller, touched) in coverage.controllers.sorted(by: { $0.key < $1.key }) {
      let cells =
        moves(touched).map { CoverageRows.cells(controller, $0) }
        + pairs(touched).map { CoverageRows.cells(controller, $0) }
      for row in cells where limit == 0 || rows.count < limit { try rows.add(row) }
    }
    try rows.finish()
  }
}

// MARK: For people

extension CoverageReport {
  private func explain(
    _ coverage: Coverage, _ sessions: Int, _ files: Int, _ run: ToolRun, _ delivery: Delivery
  ) throws {
    let sections = TextSections(width: run.console.width, style: run.style)
    let what = Decimal.count(sessions, "session") + " of " + Decimal.count(files, "file")
    try delivery.write(sections.block("What was touched in \(what).", indent: 0))
    for (controller, touched) in coverage.controllers.sorted(by: { $0.key < $1.key }) {
      let (moves, pairs) = (moves(touched), pairs(touched))
      if moves.isEmpty, pairs.isEmpty { continue }
      let title = "\(controller.name.visible) (\(controller.policy.visible))"
      var text = "\n" + (format == .table ? sections.heading(title) : "\(title)\n\n")
      let sums = [Self.sum(moves), Self.sum(pairs), Self.unplaced(touched)].compactMap(\.self)
      text += sections.block(sums.joined(separator: " "), indent: format == .table ? 2 : 0)
      let tables = CoverageTables(moves, pairs)
      for table in [tables.moves, tables.signals] where !table.rows.isEmpty {
        text += "\n" + shown(table, run)
      }
      try delivery.write(text)
    }
  }

  private func shown(_ table: RowTable, _ run: ToolRun) -> String {
    var table = table
    if limit > 0, table.rows.count > Int(clamping: limit) {
      run.note("Note: there are more rows; without '--limit' all are printed.")
      table.rows = Array(table.rows.prefix(Int(clamping: limit)))
    }
    run.noteLeftOut(table, format)
    return table.text(format, width: run.console.tableWidth, style: run.style)
  }

  private static func sum(_ rows: [ControllerCoverage.MoveRow]) -> String? {
    if rows.isEmpty { return nil }
    let routes = rows.filter { $0.isDeclared == true }
    let without = rows.filter { $0.isDeclared == false }
    let taken = routes.count { $0.count > 0 }
    let declared =
      "\(taken) of \(Decimal.count(routes.count, "route")) \(taken == 1 ? "was" : "were") taken"
    let undeclared =
      "\(Decimal.count(without.count, "move")) \(without.count == 1 ? "was" : "were") made that no "
      + "route declares"
    let parts = [routes.isEmpty ? nil : declared, without.isEmpty ? nil : undeclared]
    let text = parts.compactMap(\.self).joined(separator: ", and ")
    return text.isEmpty ? nil : text + "."
  }

  private static func sum(_ rows: [ControllerCoverage.PairRow]) -> String? {
    if rows.isEmpty { return nil }
    let fitting = rows.filter(\.fits)
    let touched = fitting.count { $0.count > 0 }
    var text =
      "\(touched) of \(Decimal.count(fitting.count, "pair")) of state and signal "
      + (touched == 1 ? "was" : "were") + " seen"
    let unfit = rows.count - fitting.count
    if unfit > 0 {
      text += ", and \(unfit) that \(unfit == 1 ? "does" : "do") not fit"
    }
    return text + "."
  }

  private static func unplaced(_ touched: ControllerCoverage) -> String? {
    if touched.unplaced == 0 { return nil }
    return "\(Decimal.count(touched.unplaced, "signal")) came after a gap, where nobody knows how "
      + "the controller stood, and \(touched.unplaced == 1 ? "is" : "are") left out."
  }
}
