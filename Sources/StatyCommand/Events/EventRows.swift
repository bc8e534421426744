import StatyHistory

/// Prints events of a history as rows, in the format that the command line selects.
struct EventRows {
  private let filter: EventFilter
  private let columns: EventColumns
  private var rows: RowStream
  /// The number of printed events.
  var count: Int { rows.count }

  init(
    _ filter: EventFilter, _ columns: EventColumns, _ format: RowFormat, hints: [ListedSession],
    run: ToolRun, to delivery: Delivery
  ) {
    self.filter = filter
    self.columns = columns
    rows = RowStream(columns.table(hints), format, run: run, to: delivery)
  }

  /// Prints an event.
  mutating func add(_ event: ListedEvent, of session: ListedSession) throws {
    try rows.add(columns.cells(event, of: session))
  }

  /// Calls `body` with the selected events of a session, while it returns that it wants more.
  func each(
    of session: ListedSession, _ reader: HistoryReader, seqs: ClosedRange<Int64>, end: Int64,
    isReversed: Bool, _ body: (ListedEvent) throws -> Bool
  ) throws {
    let own = session.record.firstSeq...max(session.record.lastOwnSeq, session.record.firstSeq)
    guard own.overlaps(seqs), own.overlaps(filter.seqs) else { return }
    let wanted = filter.wanted(of: session, end: end)
    let range = seqs.clamped(to: filter.seqs).clamped(to: own)
    var listing = EventListing(session, in: reader, seqs: range, isReversed: isReversed)
    var time: Int64 = isReversed ? session.record.lastTime : 0
    while let event = try listing.next() {
      time = event.row?.time ?? time
      guard wanted.means(event, at: time) else { continue }
      guard try body(event) else { return }
    }
  }

  /// Prints rows that are kept to choose the column widths.
  mutating func settle() throws { try rows.settle() }

  /// Prints what is left.
  mutating func finish() throws { try rows.finish() }
}
