import StatyHistory

/// One entry of a listed history: an event with its detail, or a gap.
struct ListedEvent {
  let seq: Int64
  /// The event; none for a gap.
  let row: EventRow?
  let detail: EventDetail?
  /// The loss at this place.
  let loss: LossRecord?

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
