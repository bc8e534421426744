import Staty
import StatyHistory

/// Prints events of a history as rows, in the format that the command line selects.
struct EventRows {
  private let filter: EventFilter
  private let columns: EventColumns
  private var rows: RowStream
  private var shown = ShownBefore()
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
    var event = event
    event.alike = shown.alike(event)
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
    var range = seqs.clamped(to: filter.seqs).clamped(to: own)
    // A gap that reaches into the selection is a part of it.
    let first = range.lowerBound
    if first == filter.seqs.lowerBound,
      let gap = session.losses.first(where: { $0.firstSeq < first && $0.lastSeq >= first })
    {
      range = gap.firstSeq...range.upperBound
    }
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

/// What tracks have shown besides the names of their states, as hashes tell it.
private struct ShownBefore {
  private struct Value: Hashable {
    let controller: Int32
    let state: Int32
    let hash: UInt32
  }

  private var events: [Value: Int64] = [:]
  /// A long history must not fill the memory.
  private static let most = 10_000

  /// An earlier event at which the track of a move showed the same; 0 if none did.
  mutating func alike(_ event: ListedEvent) -> Int64 {
    guard let row = event.row, row.kind == EventKind.moved.rawValue,
      let hash = event.detail?.equality, hash > Fingerprint.unknown
    else { return 0 }
    let value = Value(controller: row.controller, state: row.state, hash: hash)
    if let known = events[value] { return known }
    if events.count < Self.most { events[value] = row.seq }
    return 0
  }
}
