import StatyHistory

/// `staty sessions`: one row a session.
struct SessionsVerb: Verb {
  static let spec = VerbSpec(
    name: "sessions", abstract: "List the sessions in histories.",
    discussion: """
      A session is one run of one process that recorded. How it ended is 'clean', 'crash', or \
      'open' if it has not ended, or nobody has looked since.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.", isRepeatable: true)],
    options: .rows)

  private let paths: [String]
  private let format: RowFormat
  private let output: OutputChoice

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.arguments
    format = try arguments.rowFormat() ?? .table
    output = OutputChoice(arguments)
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let delivery = try Delivery(output, run.console)
    var table = RowTable(Self.columns)
    let statuses = try run.overFiles(paths) { history in
      try history.doing("Reading the sessions of") { reader in
        for session in try reader.sessions() {
          table.add(try Self.row(history, session, reader))
        }
      }
      return .done
    }
    let columns = paths.count == 1 && format == .table ? table.without("file") : table
    if format == .table, table.rows.isEmpty {
      if statuses.allSatisfy({ $0 == .done }) { run.note("There is no session.") }
    } else {
      run.noteLeftOut(columns, format)
      try delivery.write(columns.text(format, width: run.console.tableWidth, style: run.style))
    }
    try delivery.finish()
    return .worst(of: statuses)
  }

  private static let columns = [
    "file", "session", "started_at", "duration_s", "ended", "controllers", "events", "lost", "app",
    "app_version", "os", "uuid",
  ]

  private static func row(
    _ history: OpenHistory, _ session: SessionRecord, _ reader: HistoryReader
  ) throws -> [Cell] {
    let lost = try reader.losses(session: session.id).reduce(0) { $0 &+ $1.count }
    return [
      .text(history.path), .whole(session.id), .text(Decimal.date(session.wallTime)),
      .seconds(session.lastTime), session.ended.map { .text($0.rawValue) } ?? .nothing,
      .whole(try reader.controllers(session: session.id).count), .whole(session.stored),
      .whole(lost), .text(session.app), .text(session.appVersion), .text(session.os),
      .text(session.uuid),
    ]
  }
}

extension RowTable {
  /// The same rows without one of the columns.
  fileprivate func without(_ column: String) -> RowTable {
    guard let place = columns.firstIndex(of: column) else { return self }
    var table = RowTable(columns.filter { $0 != column })
    for row in rows {
      table.add(row.enumerated().filter { $0.offset != place }.map(\.element))
    }
    return table
  }
}
