import StatyHistory
import StatyReading

/// `staty query`: runs one read-only statement over the views of a history.
struct QueryVerb: Verb {
  static let spec = VerbSpec(
    name: "query", abstract: "Query a history in SQL.",
    discussion: """
      One SELECT over the views, which '--views' lists. The file is never changed: a statement that \
      writes, attaches or configures is refused, and so is one that reads private tables, which \
      differ from version to version. With '-' the SQL is read from standard input. SQL does not \
      check the checksums: a note names the sessions that are damaged, and 'doctor' says more.

      The value of a parameter is read as in SQL: 5 and 1.5 are numbers, NULL is none, '5' in quotes \
      is text, x'00ff' are bytes, and everything else is text.
      """,
    arguments: [
      ArgumentSpec(name: "file", help: "A history."),
      ArgumentSpec(name: "sql", help: "The statement, or '-' to read it from standard input."),
    ],
    options: [
      .flag("views", "List the views and what their columns say; takes no file.").standalone
        .excluding("param", "limit", "timeout"),
      .valued(
        "param", "name=value", "The value of a parameter, written ':name' in the SQL."
      ).repeatable,
      .valued("limit", "n", "No more rows than these; 0 for all, as if not given."),
      .valued(
        "timeout", "time", in: 0...(365 * 86_400_000_000),
        "How long it may take, such as '2m', not counting the time of the reader. Default: 30s."
      ),
    ] + .rows)

  let arguments: ParsedArguments
  private var parameters: [String: QueryValue] = [:]

  init(arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    if arguments.has("views"), !arguments.words.isEmpty {
      throw arguments.misuse("'--views' lists all views and takes no file or name.")
    }
    for text in arguments.texts("param") {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw arguments.misuse("'--param \(text)' has to be 'name=value'.")
      }
      let name = parts[0].drop { ":@$".contains($0) }
      guard
        parameters.updateValue(QueryValue(writtenAs: String(parts[1])), forKey: String(name)) == nil
      else { throw arguments.misuse("The parameter '\(name)' is given twice.") }
    }
  }

  func run(_ run: ToolRun) throws -> ExitCode {
    let delivery = try Delivery(arguments.output, run.console)
    if arguments.has("views") {
      try delivery.write(
        arguments.rowFormat.map {
          ViewPages.rows.text($0, width: run.console.tableWidth, style: run.style)
        }
          ?? ViewPages.text(width: min(run.console.width, 100), style: run.style))
    } else {
      try ask(run, delivery)
    }
    try delivery.finish()
    return .done
  }

  private func ask(_ run: ToolRun, _ delivery: Delivery) throws {
    let path = arguments.path
    let sql = arguments.words[1] == "-" ? try InputText.whole("-") : arguments.words[1]
    let (failure, format) = (QueryFailure(path, sql), arguments.rowFormat ?? .table)
    let history = try OpenHistory(path)
    defer { history.noteWaiting(run) }
    do {
      let query = try HistoryQuery(
        history.reader, sql: sql, parameters: parameters,
        patience: .microseconds(arguments.duration("timeout") ?? 30_000_000),
        // A user who reads in a pager may take any time.
        waited: { delivery.waited })
      var rows = RowStream(
        RowTable(query.columns), format, run: run, to: delivery)
      do {
        try print(query, &rows, run)
      } catch let error as QueryError {
        // The rows so far are printed, and can be read.
        try rows.finish()
        throw error
      }
      try rows.finish()
    } catch let error as QueryError {
      throw failure.failure(error)
    }
    // The SQL can have read any session.
    history.noteDamage(try history.saying("Verifying") { try $0.sessions() }, run)
  }

  private func print(_ query: HistoryQuery, _ rows: inout RowStream, _ run: ToolRun) throws {
    let limit = arguments.limit()
    while let values = try query.next() {
      guard rows.count != limit else {
        return run.note("Note: there are more rows than \(rows.count).")
      }
      try rows.add(values.map(Cell.init))
    }
    if rows.count == 0, arguments.rowFormat ?? .table == .table { run.note("There is no row.") }
  }
}

extension Cell {
  fileprivate init(_ value: QueryValue) {
    switch value {
    case .null: self = .nothing
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .number(real)
    case .text(let text): self = .text(text)
    case .blob(let bytes): self = .text(orBytes: bytes)
    }
  }
}
