import StatyHistory

/// One place of a history as it is listed: an event with what it says beside its row, or a gap.
struct ListedEvent {
  let seq: Int64
  /// The event; none for a gap.
  let row: EventRow?
  let detail: EventDetail?
  /// What is missing here.
  let loss: LossRecord?

  init(_ row: EventRow, _ detail: EventDetail?) {
    (seq, self.row, self.detail, loss) = (row.seq, row, detail, nil)
  }

  init(_ loss: LossRecord) {
    (seq, row, detail, self.loss) = (loss.firstSeq, nil, nil, loss)
  }
}

/// A session as its events are listed: what its numbers mean.
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

  /// What the wall clock showed at a time of the session, in microseconds since 1970.
  func wallTime(_ time: Int64) -> Int64 {
    // Nearly all have one, so looking from the end is quick.
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
