import StatyHistory

/// Goes through a session's events and gaps in the order of their numbers, or in reverse.
///
/// It reads a number of events at once and then returns them one by one. Between two reads the file
/// is not in use, however slowly the output is consumed.
struct EventListing {
  private let reader: HistoryReader
  private let session: Int64
  private let isReversed: Bool
  private var first: Int64
  private var last: Int64
  private var losses: ArraySlice<LossRecord>
  private var waiting: ArraySlice<ListedEvent> = []
  private var isOver = false

  private static let atOnce = 1_000

  /// - Parameter seqs: the selected numbers.
  init(
    _ session: ListedSession, in reader: HistoryReader, seqs: ClosedRange<Int64>, isReversed: Bool
  ) {
    self.reader = reader
    self.session = session.record.id
    self.isReversed = isReversed
    first = seqs.lowerBound
    last = seqs.upperBound
    let wanted = session.losses.filter { seqs.contains($0.firstSeq) }
    losses = (isReversed ? wanted.reversed() : wanted)[...]
  }

  /// The next event or gap; none after the last.
  mutating func next() throws -> ListedEvent? {
    if waiting.isEmpty, !isOver { try read() }
    guard let loss = losses.first else { return waiting.popFirst() }
    if let event = waiting.first {
      let isBefore = isReversed ? event.seq > loss.firstSeq : event.seq < loss.firstSeq
      if isBefore { return waiting.popFirst() }
    }
    losses.removeFirst()
    return ListedEvent(loss)
  }

  private mutating func read() throws {
    let rows = try reader.consistently {
      let events = try reader.events(
        session: session, from: first, through: last, isReversed: isReversed)
      var rows: [EventRow] = []
      while rows.count < Self.atOnce, let row = try events.next() { rows.append(row) }
      return try withDetails(rows)
    }
    isOver = rows.count < Self.atOnce
    if let end = rows.last?.seq {
      // A number in a damaged file may be the highest or lowest possible one, which ends the list.
      isOver = isOver || end == (isReversed ? Int64.min : Int64.max)
      if isReversed { last = end &- 1 } else { first = end &+ 1 }
    }
    waiting = rows[...]
  }

  private func withDetails(_ rows: [EventRow]) throws -> [ListedEvent] {
    guard let one = rows.first?.seq, let other = rows.last?.seq else { return [] }
    let details = try reader.details(
      session: session, from: min(one, other), through: max(one, other))
    var found: [Int64: EventDetail] = [:]
    while let detail = try details.next() { found[detail.seq] = detail }
    return rows.map { ListedEvent($0, found[$0.seq]) }
  }
}
