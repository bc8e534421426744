import Staty
import StatyHistory
import StatyReading
import StatyRules

/// A session that is played event by event, forward and back.
///
/// The knowledge at an event is a value, and some copies are kept. Going back starts at the nearest
/// earlier copy. A long session has as many copies as a short one, further apart. If each copy is
/// large, they are further apart, too: their total size is limited.
struct PlayedHistory {
  /// The knowledge after an event.
  struct Moment {
    /// The event; none at the beginning.
    fileprivate(set) var event: ListedEvent?
    /// The waiting visits and those on the stage.
    fileprivate(set) var visits: VisitFold
    /// How many events there were, up to it.
    fileprivate(set) var count: Int64 = 0
    /// How many events are missing just before it.
    fileprivate(set) var lostBefore: Int64 = 0

    /// The number of the event; 0 at the beginning.
    var seq: Int64 { event?.seq ?? 0 }
  }

  let session: ListedSession
  let reader: HistoryReader
  /// The findings of the session, in order.
  let findings: [Finding]
  private(set) var now: Moment
  /// The copies, in order; the first is the beginning.
  private(set) var kept: [Stop]
  private var spacing: Int64 = 64
  private var ahead: EventListing
  private var waiting: ListedEvent?

  /// A kept copy.
  struct Stop {
    let moment: Moment
    let weight: Int
  }

  private static let mostKept = 512
  private let mostWeight: Int

  /// A session at its first event.
  ///
  /// - Parameter mostWeight: the most that all copies may hold, in open visits.
  init(_ record: SessionRecord, _ reader: HistoryReader, mostWeight: Int = 150_000) throws {
    self.mostWeight = mostWeight
    session = try ListedSession(record, reader)
    self.reader = reader
    findings = try HistoryCheck(reader).session(record.id).findings
    let controllers = try reader.controllers(session: record.id)
    now = Moment(event: nil, visits: VisitFold(record, controllers))
    kept = [Stop(moment: now, weight: now.visits.weight)]
    ahead = EventListing(session, in: reader, seqs: 1...Int64.max, isReversed: false)
    try forward()
  }

  /// Advances to the next event; returns whether there is one.
  @discardableResult
  mutating func forward() throws -> Bool {
    guard let event = try take() else { return false }
    var lost: Int64 = 0
    var next = event
    while let loss = next.loss {
      now.visits.lose(loss)
      lost &+= loss.count
      guard let after = try take() else { return false }
      next = after
    }
    guard let row = next.row else { return false }
    _ = now.visits.take(row, next.detail)
    (now.event, now.lostBefore) = (next, lost)
    now.count += 1
    keep()
    return true
  }

  /// Goes back to the event before; returns whether there is one.
  @discardableResult
  mutating func back() throws -> Bool {
    let count = now.count - 1
    guard count >= 1 else { return false }
    try restore(stop { $0.count <= count })
    while now.count < count, try forward() {}
    return true
  }

  /// Goes to the event with this number, or to the last before it, as for a number in a gap; to the first if
  /// none is.
  mutating func go(to seq: Int64) throws {
    let nearest = stop { $0.seq <= seq }
    if now.seq > seq || nearest.count > now.count { try restore(nearest) }
    while let next = try peek(), next.seq <= seq, try forward() {}
    // The event behind a gap was reached from within.
    if now.seq > seq, now.count > 1 { try back() }
    if now.count == 0 { try forward() }
  }

  /// The time of the next event, in microseconds since the session began; none after the last.
  mutating func nextTime() throws -> Int64? { try peek()?.row?.time ?? now.event?.row?.time }

  /// Whether this is the last event.
  mutating func isAtEnd() throws -> Bool { try peek() == nil }
}

extension PlayedHistory {
  private mutating func peek() throws -> ListedEvent? {
    if waiting == nil { waiting = try ahead.next() }
    return waiting
  }

  private mutating func take() throws -> ListedEvent? {
    let event = try peek()
    waiting = nil
    return event
  }

  private mutating func restore(_ moment: Moment) throws {
    now = moment
    waiting = nil
    ahead = EventListing(
      session, in: reader, seqs: min(.max - 1, moment.seq) + 1...Int64.max, isReversed: false)
  }

  private mutating func keep() {
    guard now.count.isMultiple(of: spacing), now.count > kept.last?.moment.count ?? 0 else {
      return
    }
    kept.append(Stop(moment: now, weight: now.visits.weight))
    // The beginning is always kept.
    while kept.count > 1, kept.count > Self.mostKept || keptWeight > mostWeight {
      spacing *= 2
      kept.removeAll { !$0.moment.count.isMultiple(of: spacing) }
    }
  }

  /// The last kept copy that fulfils a condition.
  private func stop(where isBefore: (Moment) -> Bool) -> Moment {
    (kept.last { isBefore($0.moment) } ?? kept[0]).moment
  }

  /// How much all copies hold.
  var keptWeight: Int { kept.reduce(0) { $0 + $1.weight } }
}

extension PlayedHistory {
  /// The findings at the event.
  var broken: [Finding] { findings.filter { $0.seq == now.seq } }

  /// The number of the next or the previous event with a finding.
  func finding(isBackward: Bool) -> Int64? {
    isBackward
      ? findings.last { $0.seq < now.seq }?.seq : findings.first { $0.seq > now.seq }?.seq
  }

  /// The events around this one, from the outermost to itself.
  func causes() throws -> [EventRow] {
    try reader.chain(to: now.seq, session: session.record.id)
  }

  /// The neighbouring events of these controllers that belong to visits.
  func surroundings(of controllers: Set<Int32>) throws -> [EventRow] {
    try reader.events(around: now.seq, session: session.record.id, before: 23, from: 9) {
      $0.visit != 0 && controllers.contains($0.controller)
    }
  }
}
