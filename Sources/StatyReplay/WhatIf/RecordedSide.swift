import Staty
import StatyHistory

/// The recording of a session, read once: what it says of what everybody does.
struct RecordedSide {
  private(set) var writer: ScriptWriter
  private(set) var doubts: [ReplayResult.Doubt] = []
  private(set) var count = 0
  private(set) var lastTime: Int64 = 0
  private var time = Int64.min
  /// The number of the first event that is not read, if not all are.
  private(set) var gap: Int64?
  private let cast: Cast

  init(_ cast: Cast, _ names: [Int32: String], _ edits: [Edit]) {
    self.cast = cast
    writer = ScriptWriter(cast, RecordedNames(names), edits)
    for part in cast.parts.values.sorted(by: { $0.record.id < $1.record.id })
    where part.entry == nil {
      doubts.append(.unknownController(controller: part.record.id, policy: part.name))
    }
  }

  /// Reads everything up to the first loss: who did what after that is not known.
  mutating func read(_ events: RecordedEvents, _ most: Int) throws {
    var events = events
    var cuts = cast.cuts
    while let event = events.next {
      if let loss = events.takeLoss() {
        noteGap(at: loss.firstSeq)
        // The edits behind the gap are about nothing that is played.
        return
      }
      count += 1
      if count > most { return noteGap(at: event.row.seq) }
      while let cut = cuts.next(through: event.row.seq) { begin(cut) }
      try writer.take(inOrder(event))
      lastTime = event.row.time
      try events.advance()
    }
    if let loss = events.takeLoss() { noteGap(at: loss.firstSeq) }
    try writer.finish()
  }

  /// The event with a time that does not step back: the numbers are the order.
  private mutating func inOrder(_ event: RecordedEvent) -> RecordedEvent {
    var row = event.row
    if event.kind != .attached {
      time = max(time, row.time)
      row.time = time
    }
    return RecordedEvent(row: row, detail: event.detail)
  }

  private mutating func begin(_ cut: CutControllers.Cut) {
    guard cut.isKnown, let time = cast.parts[cut.id]?.record.cut?.time else {
      doubts.append(.cut(controller: cut.id, seq: cut.since))
      return
    }
    writer.enter(cut.id, at: time, seq: cut.since)
  }

  private mutating func noteGap(at seq: Int64) {
    gap = seq
    for id in cast.parts.keys.sorted() where cast.plays(id) {
      doubts.append(.gap(controller: id, seq: seq))
    }
  }
}
