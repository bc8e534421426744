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

/// One entry of a listed history: an event with its detail, or a gap.
struct ListedEvent {
  let seq: Int64
  /// The event; none for a gap.
  let row: EventRow?
  let detail: EventDetail?
  /// The loss at this place.
  let loss: LossRecord?
  /// An event at which the track showed the same, of those that are listed; 0 if none did.
  var alike: Int64 = 0

  init(_ row: EventRow, _ detail: EventDetail?) {
    (seq, self.row, self.detail, loss) = (row.seq, row, detail, nil)
  }

  init(_ loss: LossRecord) {
    (seq, row, detail, self.loss) = (loss.firstSeq, nil, nil, loss)
  }
}

/// A listed session, with the meanings of its numbers.
struct ListedSession {
  let record: SessionRecord
  let words: EventWords
  let losses: [LossRecord]
  private let anchors: [AnchorRecord]

  init(_ record: SessionRecord, _ reader: HistoryReader) throws {
    self.record = record
    words = try EventWords(reader, session: record.id)
    losses = try reader.losses(session: record.id)
    anchors = try reader.anchors(session: record.id)
  }

  /// The wall clock at a time of the session, in microseconds since 1970.
  func wallTime(_ time: Int64) -> Int64 {
    // Nearly all sessions have one, so a search from the end is quick.
    guard let anchor = anchors.last(where: { $0.time <= time }) else {
      return record.wallTime &+ time
    }
    return anchor.wallTime &+ (time &- anchor.time)
  }

  /// The time of the session at which the wall clock showed a moment.
  func time(atWall moment: Int64) -> Int64 {
    guard let anchor = anchors.last(where: { $0.wallTime <= moment }) else {
      return moment &- record.wallTime
    }
    return anchor.time &+ (moment &- anchor.wallTime)
  }
}
