import StatyHistory

/// `staty sessions`: lists the sessions, one row each.
struct SessionsVerb: Verb {
  static let spec = VerbSpec(
    name: "sessions", abstract: "List the sessions in histories.",
    discussion: """
      A session is one run of a process that recorded. It ended 'clean' if the recorder was closed, \
      'suspended' if the system killed the app in the background, or 'killed' if the app crashed or \
      was killed otherwise. It can also be 'continued' in the next session, or still 'open'. Events \
      are not read: 'doctor' and 'check' say whether they are as they were stored.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.", isRepeatable: true)],
    options: [
      .valued("session", "n", "Only the session with this number."),
      .valued("limit", "n", "No more sessions of a file than these; 0 for all, as if not given."),
    ] + .rows)

  private let paths: [String]
  private let choice: SessionChoice
  private let limit: Int
  private let format: RowFormat
  private let output: OutputChoice

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.arguments
    choice = SessionChoice(session: try arguments.seq("session"), controllers: [])
    limit =
      try arguments.number("limit", in: 0...Int64.max)
      .map { $0 == 0 ? .max : Int(clamping: $0) } ?? .max
    format = try arguments.rowFormat() ?? .table
    output = OutputChoice(arguments)
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let delivery = try Delivery(output, run.console)
    // A single file needs no column for its name.
    let isNamed = paths.count > 1 || format != .table
    let columns = Self.columns(format)
    var rows = RowStream(isNamed ? ["file"] + columns : columns, format, run: run, to: delivery)
    var isCut = false
    let statuses = try run.overFiles(paths) { history in
      try history.doing("Reading the sessions of") { reader in
        let sessions = try choice.sessions(of: history, verifying: false)
        isCut = isCut || sessions.count > limit
        for session in sessions.prefix(limit) {
          let cells = try Self.row(session, reader, format)
          try rows.add(isNamed ? [.text(history.path)] + cells : cells)
        }
      }
      return .done
    }
    try rows.finish()
    if isCut { run.note("Note: there are more rows.") }
    if rows.count == 0, format == .table, statuses.allSatisfy({ $0 == .done }) {
      run.note("There is no session.")
    }
    try delivery.finish()
    return .worst(of: statuses)
  }

  /// The column names of the view `sessions`, except where the unit is printed with the number.
  private static func columns(_ format: RowFormat) -> [String] {
    [
      "session", "started_at", format.isForPeople ? "duration" : "duration_ms", "ended",
      "controllers", "events", "lost", "app", "app_version", "os", "uuid",
    ]
  }

  private static func row(
    _ session: SessionRecord, _ reader: HistoryReader, _ format: RowFormat
  ) throws -> [Cell] {
    let duration =
      format.isForPeople
      ? Cell.figure(Decimal.duration(session.lastTime)) : .milliseconds(session.lastTime)
    let lost = try reader.losses(session: session.id).reduce(0) { $0 &+ $1.count }
    return [
      .whole(session.id), .text(Decimal.date(session.wallTime)), duration,
      session.ended.map { .text($0.rawValue) } ?? .nothing,
      .whole(try reader.controllers(session: session.id).count), .whole(session.stored),
      .whole(lost), .text(session.app), .text(session.appVersion), .text(session.os),
      .text(session.uuid),
    ]
  }
}
