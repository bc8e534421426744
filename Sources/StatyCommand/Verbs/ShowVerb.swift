import StatyHistory

/// `staty show`: lists the events of a history, one row each.
struct ShowVerb: Verb {
  static let spec = VerbSpec(
    name: "show", abstract: "List the events of a history.",
    discussion: """
      One row for each event, in the order of the numbers, and one where events are missing. In \
      tables times count from the beginning of the session; json, ndjson and csv have the columns of \
      the view 'history', and the 'note' of a mark. A note says if a session is not as it was stored, \
      unless '--quiet' is given.

      With '-f' the last ten events are listed, and then what is recorded until Ctrl-C, also when \
      another session begins. What is still being written is not verified.
      """,
    arguments: [ArgumentSpec(name: "file", help: "A history.")],
    options: EventFilter.options + [
      .valued(
        "around", "seq",
        "The event with this number and ten on each side, or '--limit'."
      ).excluding("seq"),
      .valued("limit", "n", "No more events than these; 0 for all, as if not given."),
      .flag("reverse", "The last come first."),
      .flag("follow", short: "f", "Go on with what is recorded from now on.")
        .excluding("reverse", "around", "output", "until"),
    ] + .rows)

  let arguments: ParsedArguments

  func run(_ run: ToolRun) throws -> ExitCode {
    let delivery = try Delivery(arguments.output, run.console)
    if arguments.has("follow") {
      try EventFollower(arguments, run, delivery).follow()
    } else {
      let history = try OpenHistory(arguments.path)
      try history.saying("Listing the events of") { try list(history, $0, run, delivery) }
    }
    try delivery.finish()
    return .done
  }

  private func list(
    _ history: OpenHistory, _ reader: HistoryReader, _ run: ToolRun, _ delivery: Delivery
  ) throws {
    let filter = EventFilter(arguments)
    let (limit, isReversed) = (arguments.limit(), arguments.has("reverse"))
    let records = try filter.choice.sessions(of: history, verifying: false)
    try filter.checkNames(records, of: history)
    let hints = try records.suffix(20).map { try ListedSession($0, reader) }
    let names = Set(
      hints.flatMap { $0.words.controllers.values.filter(filter.choice.means) }.map(\.name))
    let format = arguments.rowFormat ?? .table
    let columns = EventColumns(
      format, hasSession: records.count > 1,
      hasController: names.count != 1 || records.count > 20)
    var rows = EventRows(filter, columns, format, hints: hints, run: run, to: delivery)
    let end = try filter.end(records, history)
    // Verifying the others would take a hundred times as long as listing ten events.
    var read: [SessionRecord] = []
    if let around = arguments.number("around") {
      read.append(try list(around, records, history, end, &rows))
    } else {
      for record in isReversed ? records.reversed() : records where rows.count != limit {
        let session = try ListedSession(record, reader)
        read.append(record)
        try rows.each(
          of: session, reader, seqs: 1...Int64.max, end: end, isReversed: isReversed
        ) { event in
          try rows.add(event, of: session)
          return rows.count != limit
        }
      }
    }
    try rows.finish()
    if rows.count == 0 {
      let isEmpty = read.allSatisfy { $0.stored == 0 }
      run.note(isEmpty ? "No event is stored." : "There is no such event.")
    }
    history.noteDamage(read, run)
    history.noteWaiting(run)
  }

  /// Lists the events around an event; returns its session.
  private func list(
    _ seq: Int64, _ records: [SessionRecord], _ history: OpenHistory, _ end: Int64,
    _ rows: inout EventRows
  ) throws -> SessionRecord {
    let session = try records.last { $0.firstSeq <= seq }
      .map { try ListedSession($0, history.reader) }
    guard let session, seq <= max(session.record.lastSeq ?? 0, session.losses.last?.lastSeq ?? 0)
    else {
      let last = records.last?.lastSeq.map { "The last one is \($0)." } ?? "There is none at all."
      throw Failure(
        status: .usage, message: "There is no event \(seq) in '\(arguments.path)'.", advice: last)
    }
    let side = arguments.limit(orElse: 10)
    var found: [ListedEvent] = []
    try rows.each(of: session, history.reader, seqs: 1...seq, end: end, isReversed: true) {
      found.append($0)
      return found.count <= side
    }
    found.reverse()
    let before = found.count
    if seq < Int64.max {
      try rows.each(
        of: session, history.reader, seqs: seq + 1...Int64.max, end: end, isReversed: false
      ) {
        found.append($0)
        return found.count - before < side
      }
    }
    for event in arguments.has("reverse") ? found.reversed() : found {
      try rows.add(event, of: session)
    }
    return session.record
  }
}
