import StatyHistory

/// Which events of a history were listed, and which are new.
///
/// Events of several threads are not stored in the order of their numbers: a lower number may be
/// stored later. So the last numbers of each session are looked at again until it is over.
struct Following {
  private var sessions: [Int64: Listed] = [:]
  /// How many numbers below the highest one are looked at again.
  private static let mostBehind: Int64 = 4_096

  /// What was listed of one session.
  private struct Listed {
    var highest: Int64
    /// The listed numbers that are looked at again.
    var seqs: Set<Int64> = []
    /// The first numbers of the listed losses.
    var losses: Set<Int64> = []
    var isOver = false
  }

  /// Treats an event as listed that was printed separately.
  mutating func saw(_ seq: Int64, of session: Int64) { sessions[session]?.seqs.insert(seq) }

  /// Treats everything that is in the file now as listed.
  mutating func skip(_ reader: HistoryReader) throws {
    for record in try reader.sessions() {
      sessions[record.id] = Listed(highest: record.lastSeq ?? record.firstSeq)
    }
    try next(reader) { _, _ in }
  }

  /// Returns the new events, session after session.
  mutating func next(
    _ reader: HistoryReader, each body: (ListedEvent, ListedSession) throws -> Void
  ) throws {
    for record in try reader.sessions() where sessions[record.id]?.isOver != true {
      var listed = sessions[record.id] ?? Listed(highest: record.firstSeq)
      // Also on failure: what was returned is not returned again.
      defer { sessions[record.id] = listed }
      let session = try ListedSession(record, reader)
      let first = max(record.firstSeq, listed.highest &- Self.mostBehind)
      for loss in session.losses where loss.firstSeq < first {
        if listed.losses.insert(loss.firstSeq).inserted { try body(ListedEvent(loss), session) }
      }
      let last = max(first, record.lastOwnSeq)
      var listing = EventListing(session, in: reader, seqs: first...last, isReversed: false)
      while let event = try listing.next() {
        let isNew =
          event.loss == nil
          ? listed.seqs.insert(event.seq).inserted : listed.losses.insert(event.seq).inserted
        if event.loss == nil { listed.highest = max(listed.highest, event.seq) }
        if isNew { try body(event, session) }
      }
      listed.seqs = listed.seqs.filter { $0 >= listed.highest &- Self.mostBehind }
      listed.isOver = record.ended != .open
    }
  }
}
