/// What takes in the events of a session, one after the other.
package protocol SessionFollower {
  /// Takes in the next event, and its detail if it has one.
  mutating func take(_ row: EventRow, _ detail: EventDetail?)

  /// Takes in that events are missing here.
  mutating func lose(_ loss: LossRecord)
}

/// Reads a session in order: its events with their details, and what is missing between them.
///
/// It is the one place where rows and details are put together.
package struct SessionEvents {
  private let events: EventCursor
  private let details: DetailCursor
  /// The first detail that is not of an earlier event than the last one read.
  private var ahead: EventDetail?
  /// The number of its event, apart from what is large in it.
  private var aheadSeq = Int64.max
  /// What is missing of that which it reads.
  package let losses: [LossRecord]
  private var told = 0
  /// The first detail that was passed over since there is no event to it.
  private(set) var strayDetail: Int64?
  /// The number and the time of the event that was read last; before the first a number that none has.
  package private(set) var lastSeq = Int64.min
  package private(set) var lastTime: Int64 = 0

  /// - Parameters:
  ///   - first: the number to begin with.
  ///   - last: the number to end with.
  ///   - isTimed: whether times are read; without, they are 0.
  package init(
    _ reader: HistoryReader, session: SessionRecord, from first: Int64? = nil,
    through last: Int64? = nil, isTimed: Bool = true
  ) throws(HistoryError) {
    let start = first ?? session.firstSeq
    let losses = try reader.losses(session: session.id).filter {
      $0.lastSeq >= start && $0.firstSeq <= last ?? .max
    }
    try self.init(
      isTimed
        ? reader.events(session: session.id, from: first, through: last)
        : reader.untimedEvents(session: session.id, from: first, through: last),
      reader.details(session: session.id, from: first), losses)
  }

  init(
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

  /// The hash of the event that was read last, with its detail; none if it says something that no event
  /// can say.
  ///
  /// - Parameter first: the first number of its session.
  func hash(of row: EventRow, _ hashes: ContentHashes, first: Int64) -> UInt64? {
    guard events.isWhole(row), let hash = hashes.hash(row, first: first) else { return nil }
    guard hasDetail, let ahead else { return hash }
    guard details.isWhole(ahead), let extra = hashes.hash(ahead, first: first) else { return nil }
    return hash &+ extra
  }

  /// The detail of the event that was read last, if it has one.
  package var detail: EventDetail? { hasDetail ? ahead : nil }

  /// The next loss that lies before a number, if one does that was not taken.
  package mutating func takeLoss(before seq: Int64 = .max) -> LossRecord? {
    guard told < losses.count, losses[told].firstSeq < seq else { return nil }
    told += 1
    return losses[told - 1]
  }

  /// Gives the next events to a follower, at most so many; whether there may be more.
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

  /// What is missing behind the last event.
  package mutating func giveRest(to follower: inout some SessionFollower) {
    while let loss = takeLoss() { follower.lose(loss) }
  }
}
