/// What takes in the events of a session, one after the other.
package protocol SessionFollower {
  /// Takes in the next event, and its detail if it has one.
  mutating func take(_ row: EventRow, _ detail: EventDetail?)

  /// Takes in that events are missing here.
  mutating func lose(_ loss: LossRecord)
}

/// Reads a session in order: its events with their details, and what is missing between them.
package struct SessionEvents {
  private let events: EventCursor
  private let details: DetailCursor
  private var detail: EventDetail?
  /// What is missing of that which it reads.
  package let losses: [LossRecord]
  private var told = 0
  /// The time of the event that was read last.
  package private(set) var lastTime: Int64 = 0

  /// - Parameters:
  ///   - first: the number to begin with.
  ///   - last: the number to end with.
  package init(
    _ reader: HistoryReader, session: SessionRecord, from first: Int64? = nil,
    through last: Int64? = nil
  ) throws {
    events = try reader.events(session: session.id, from: first, through: last)
    details = try reader.details(session: session.id, from: first)
    detail = try details.next()
    let start = first ?? session.firstSeq
    losses = try reader.losses(session: session.id).filter {
      $0.lastSeq >= start && $0.firstSeq <= last ?? .max
    }
  }

  /// Gives the next events to a follower, at most so many; whether there may be more.
  package mutating func give(
    upTo most: Int = .max, to follower: inout some SessionFollower
  ) throws -> Bool {
    for _ in 0..<most {
      guard let row = try events.next() else { return false }
      lastTime = row.time
      while told < losses.count, losses[told].firstSeq < row.seq {
        follower.lose(losses[told])
        told += 1
      }
      while let known = detail, known.seq < row.seq { detail = try details.next() }
      if detail?.seq == row.seq {
        follower.take(row, detail)
      } else {
        follower.take(row, nil)
      }
    }
    return true
  }

  /// What is missing behind the last event.
  package func giveRest(to follower: inout some SessionFollower) {
    for loss in losses[told...] { follower.lose(loss) }
  }
}
