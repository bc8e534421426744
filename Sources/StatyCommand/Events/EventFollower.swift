import StatyHistory
import StatyRecorder

/// Lists events while they are recorded into a history.
struct EventFollower {
  private let path: String
  private let filter: EventFilter
  private let limit: Int
  private let format: RowFormat
  private let run: ToolRun
  private let delivery: Delivery

  init(_ arguments: ParsedArguments, _ run: ToolRun, _ delivery: Delivery) {
    path = arguments.path
    filter = EventFilter(arguments)
    limit = arguments.limit(orElse: filter.hasBeginning ? .max : 10)
    format = arguments.rowFormat ?? .table
    (self.run, self.delivery) = (run, delivery)
  }

  /// Lists the last events, and what follows them, until the user ends it.
  func follow() throws {
    var watch = HistoryWatch(path, run)
    let interrupts = watch.interrupts
    var following = Following()
    var rows = try watch.look { try begin($0, $1, &following, interrupts) }
    try watch.follow { history, reader in
      let end = RecorderTime.wallMicroseconds
      try following.next(reader) { event, session in
        guard filter.choice.session.map({ $0 == session.record.id }) ?? true, !interrupts.isWanted,
          filter.wanted(of: session, end: end)
            .means(event, at: event.row?.time ?? session.record.lastTime),
          filter.seqs.overlaps(event.seq...max(event.seq, event.loss?.lastSeq ?? 0))
        else { return }
        try rows.add(event, of: session)
      }
      try rows.settle()
      try run.console.out.flush()
    }
    try rows.finish()
  }

  /// Lists the events to begin with.
  private func begin(
    _ history: OpenHistory, _ reader: HistoryReader, _ following: inout Following,
    _ interrupts: Interrupts
  ) throws -> EventRows {
    let records = try reader.consistently {
      try following.skip(reader)
      return try filter.choice.sessions(of: history, verifying: false)
    }
    do {
      try filter.checkNames(records, of: history)
    } catch let failure as Failure where failure.status == .usage {
      // The name may still be recorded.
      run.note("Note: " + failure.message.visible)
    }
    let columns = EventColumns(format)
    let hints = try records.suffix(20).map { try ListedSession($0, reader) }
    var rows = EventRows(filter, columns, format, hints: hints, run: run, to: delivery)
    let end = try filter.end(records, history)
    for (event, session) in try last(records, rows, history, end) {
      following.saw(event.seq, of: session.record.id)
      try rows.add(event, of: session)
    }
    if limit == .max {
      for record in records {
        let session = try ListedSession(record, reader)
        try rows.each(
          of: session, reader, seqs: 1...max(1, record.lastSeq ?? 1), end: end, isReversed: false
        ) { event in
          following.saw(event.seq, of: record.id)
          try rows.add(event, of: session)
          return !interrupts.isWanted
        }
      }
    }
    try rows.settle()
    try run.console.out.flush()
    return rows
  }

  /// The last events, a limited number.
  private func last(
    _ records: [SessionRecord], _ rows: EventRows, _ history: OpenHistory, _ end: Int64
  ) throws -> [(ListedEvent, ListedSession)] {
    var found: [(ListedEvent, ListedSession)] = []
    for record in records.reversed() where limit != .max && found.count < limit {
      let session = try ListedSession(record, history.reader)
      try rows.each(
        of: session, history.reader, seqs: 1...max(1, record.lastSeq ?? 1), end: end,
        isReversed: true
      ) { event in
        found.append((event, session))
        return found.count < limit
      }
    }
    return found.reversed()
  }
}

/// The wall clock, as recorders read it.
enum RecorderTime {
  /// Microseconds since 1970.
  static var wallMicroseconds: Int64 { Int64(clamping: SessionMark.now().wallMicroseconds) }
}
