import StatyHistory

/// Which events of a history were listed, and which are new.
///
/// Events of several threads are not stored in the order of their numbers: a lower number may be
/// stored later. So missing numbers are checked again until their events come, are known to be
/// lost, or their session is over.
struct Following {
  private var places: [Int64: Place] = [:]

  /// How far one session was listed.
  fileprivate struct Place {
    var through: Int64
    var missing: [ClosedRange<Int64>] = []
    var toldLosses: Set<Int64> = []
    var isOver = false
  }

  /// The most gaps that are checked again.
  ///
  /// A thread that stops between drawing a number and storing its event makes one gap, and there
  /// are at most 64 such threads.
  fileprivate static let mostMissing = 256

  /// Treats an event as listed that was printed separately.
  mutating func saw(_ seq: Int64, of session: Int64) { places[session]?.found(seq) }

  /// Treats everything that is in the file now as listed.
  mutating func skip(_ reader: HistoryReader) throws {
    for record in try reader.sessions() {
      var place = Place(through: record.lastSeq ?? record.firstSeq &- 1)
      place.isOver = record.ended != .open
      place.toldLosses = Set(try reader.losses(session: record.id).map(\.firstSeq))
      if !place.isOver {
        // Events that are not stored yet at the beginning are among the last numbers.
        let first = max(record.firstSeq, place.through &- 4_096)
        let events = try reader.events(session: record.id, from: first, through: place.through)
        var expected = first
        while let row = try events.next() {
          place.note(missing: expected, before: row.seq)
          expected = row.seq &+ 1
        }
      }
      places[record.id] = place
    }
  }

  /// Returns the new events, session after session.
  mutating func next(
    _ reader: HistoryReader, each body: (ListedEvent, ListedSession) throws -> Void
  ) throws {
    for record in try reader.sessions() {
      var place = places[record.id] ?? Place(through: record.firstSeq &- 1)
      // Also on failure: what was returned is not returned again.
      defer { places[record.id] = place }
      let hasMore = place.through < record.lastSeq ?? 0 || !place.missing.isEmpty
      if hasMore || !place.isOver {
        let session = try ListedSession(record, reader)
        try Self.late(&place, session, reader) { try body($0, session) }
        try Self.fresh(&place, session, reader) { try body($0, session) }
      }
      place.isOver = record.ended != .open
      if place.isOver { place.missing = [] }
    }
  }

  /// New events with lower numbers than listed ones.
  private static func late(
    _ place: inout Place, _ session: ListedSession, _ reader: HistoryReader,
    _ body: (ListedEvent) throws -> Void
  ) throws {
    for range in place.missing {
      var listing = EventListing(session, in: reader, seqs: range, isReversed: false)
      while let event = try listing.next() {
        if event.row == nil { continue }
        place.found(event.seq)
        try body(event)
      }
    }
    for loss in session.losses where loss.firstSeq <= place.through {
      guard place.toldLosses.insert(loss.firstSeq).inserted else { continue }
      if loss.firstSeq <= loss.lastSeq { place.forget(loss.firstSeq...loss.lastSeq) }
      try body(ListedEvent(loss))
    }
  }

  /// New events with higher numbers.
  private static func fresh(
    _ place: inout Place, _ session: ListedSession, _ reader: HistoryReader,
    _ body: (ListedEvent) throws -> Void
  ) throws {
    guard let last = session.record.lastSeq, last > place.through else { return }
    var listing = EventListing(
      session, in: reader, seqs: place.through + 1...last, isReversed: false)
    while let event = try listing.next() {
      place.note(missing: place.through &+ 1, before: event.seq)
      place.through = max(place.through, min(event.loss?.lastSeq ?? event.seq, last))
      if let loss = event.loss { place.toldLosses.insert(loss.firstSeq) }
      try body(event)
    }
    place.through = max(place.through, last)
  }
}

extension Following.Place {
  fileprivate mutating func note(missing first: Int64, before seq: Int64) {
    guard first < seq else { return }
    missing.append(first...seq - 1)
    if missing.count > Following.mostMissing { missing.removeFirst() }
  }

  fileprivate mutating func found(_ seq: Int64) { forget(seq...seq) }

  fileprivate mutating func forget(_ gone: ClosedRange<Int64>) {
    missing = missing.flatMap { range -> [ClosedRange<Int64>] in
      guard range.overlaps(gone) else { return [range] }
      var left: [ClosedRange<Int64>] = []
      if range.lowerBound < gone.lowerBound { left.append(range.lowerBound...gone.lowerBound - 1) }
      if gone.upperBound < range.upperBound { left.append(gone.upperBound + 1...range.upperBound) }
      return left
    }
  }
}
