import StatyHistory

/// What takes in the events of a session, one after the other.
protocol SessionTaking {
  /// Takes in the next event, and its detail if it has one.
  mutating func take(_ row: EventRow, _ detail: EventDetail?)

  /// Takes in that events are missing here.
  mutating func lose(_ loss: LossRecord)
}

extension SessionChecker: SessionTaking {}

/// Gives what follows a session its events with what belongs to them, in order.
struct SessionFeed {
  private let events: EventCursor
  private let details: DetailCursor
  private var detail: EventDetail?
  /// What is missing of that which it gives.
  let losses: [LossRecord]
  private var told = 0
  /// The time of the event that was given last.
  private(set) var lastTime: Int64 = 0

  /// - Parameters:
  ///   - first: the number to begin with.
  ///   - last: the number to end with.
  init(
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

  /// Gives the next events, at most so many; whether there may be more.
  mutating func take(
    upTo most: Int, _ follower: inout some SessionTaking
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

  /// What was lost after the last event.
  func loseRest(_ checker: inout SessionChecker) {
    for loss in losses[told...] { checker.lose(loss) }
  }
}
