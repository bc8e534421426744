/// Takes the events of a session, one after the other.
package protocol SessionFollower {
  /// Takes the next event, and its detail if it has one.
  mutating func take(_ row: EventRow, _ detail: EventDetail?)

  /// Notes that events are missing here.
  mutating func lose(_ loss: LossRecord)
}

/// Reads a session in order: its events with their details, and the losses between them.
///
/// Rows and details are combined here. A check combines them in its own loop, because another thread reads its
/// batches.
package struct SessionEvents {
  private let events: EventCursor
  private let details: DetailCursor
  /// The first detail that is not of an earlier event than the last one read.
  private var ahead: EventDetail?
  /// The number of its event, kept apart because the detail is large.
  private var aheadSeq = Int64.max
  /// The losses in the range that it reads.
  package let losses: [LossRecord]
  private var told = 0
  /// The first detail that was skipped because it has no event.
  package private(set) var strayDetail: Int64?
  /// The number and the time of the event that was read last; before the first, a number that no
  /// event has.
  package private(set) var lastSeq = Int64.min
  package private(set) var lastTime: Int64 = 0

  /// - Parameters:
  ///   - first: the number to begin with.
  ///   - last: the number to end with.
  ///   - isTimed: whether times are read; otherwise they are 0.
  package init(
    _ reader: HistoryReader, session: SessionRecord, from first: Int64? = nil,
    through last: Int64? = nil, isTimed: Bool = true
  ) throws(HistoryError) {
    let start = first ?? session.firstSeq
    let losses = try reader.losses(session: session.id).filter {
      $0.lastSeq >= start && $0.firstSeq <= last ?? .max
    }
    try self.init(
      reader.events(session: session.id, from: first, through: last, isTimed: isTimed),
      reader.details(session: session.id, from: first), losses)
  }

  package init(
    _ events: EventCursor, _ details: DetailCursor, _ losses: [LossRecord]
  ) throws(HistoryError) {
    (self.events, self.details, self.losses) = (events, details, losses)
    try readDetail()
  }

  private mutating func readDetail() throws(HistoryError) {
    ahead = try details.next()
    aheadSeq = ahead?.seq ?? .max
  }

  /// The next event; none after the last.
  package mutating func next() throws(HistoryError) -> EventRow? {
    guard let row = try events.next() else {
      if hasDetail { try readDetail() }
      if aheadSeq < .max, strayDetail == nil { strayDetail = aheadSeq }
      return nil
    }
    while aheadSeq < row.seq {
      if !hasDetail, strayDetail == nil { strayDetail = aheadSeq }
      try readDetail()
    }
    (lastSeq, lastTime) = (row.seq, row.time)
    return row
  }

  /// Whether the event that was read last has a detail.
  package var hasDetail: Bool { aheadSeq == lastSeq }

  /// The hash of the event that was read last, with its detail; none if it holds an impossible
  /// value.
  ///
  /// - Parameter first: the first number of its session.
  package func hash(of row: EventRow, _ hashes: ContentHashes, first: Int64) -> UInt64? {
    guard events.isWhole(row), let hash = hashes.hash(row, first: first) else { return nil }
    guard hasDetail, let ahead else { return hash }
    guard details.isWhole(ahead), let extra = hashes.hash(ahead, first: first) else { return nil }
    return hash &+ extra
  }

  /// The detail of the event that was read last, if it has one.
  package var detail: EventDetail? { hasDetail ? ahead : nil }

  /// The next loss before a number that was not taken yet; none if there is none.
  package mutating func takeLoss(before seq: Int64 = .max) -> LossRecord? {
    guard told < losses.count, losses[told].firstSeq < seq else { return nil }
    told += 1
    return losses[told - 1]
  }

  /// Gives a limited number of events to a follower; returns whether there may be more.
  package mutating func give(
    upTo most: Int = .max, to follower: inout some SessionFollower
  ) throws -> Bool {
    for _ in 0..<most {
      guard let row = try next() else { return false }
      while let loss = takeLoss(before: row.seq) { follower.lose(loss) }
      follower.take(row, detail)
    }
    return true
  }

  /// Gives the losses behind the last event.
  package mutating func giveRest(to follower: inout some SessionFollower) {
    while let loss = takeLoss() { follower.lose(loss) }
  }
}
