import Staty

/// What is left of the tables that the events of sessions stand in.
struct SalvagedTables {
  let events: SalvagedPages
  let askings: SalvagedPages
  let details: SalvagedPages
  let chain: SalvagedPages

  init(_ survey: PageSurvey) {
    events = SalvagedPages(survey, .event)
    askings = SalvagedPages(survey, .asking)
    details = SalvagedPages(survey, .detail)
    chain = SalvagedPages(survey, .chain)
  }

  /// How many rows on sound pages have numbers that none of these sessions has given.
  func strays(beside sessions: [SalvagedSession]) -> Int64 {
    var others: [ClosedRange<Int64>] = []
    if let first = sessions.first?.record.firstSeq { others.append(.min + 1...first - 1) }
    if let last = sessions.last?.record.lastOwnSeq, last > HistoryFile.mostNumber {
      others.append(HistoryFile.mostNumber + 1 ... .max)
    }
    var strays: Int64 = 0
    for part in others.flatMap(events.parts) {
      for page in events.rows(in: part) { strays += Int64(page.count) }
    }
    return strays
  }

  /// The last number of a session that an event on a sound page has.
  func lastEvent(of session: SalvagedSession) -> Int64? {
    events.last(in: session.record.firstSeq...session.record.lastOwnSeq)
  }
}

/// Reads what is left of the events of a session, run by run.
struct SalvagedEvents {
  private let catalog: SalvagedCatalog
  private let session: SalvagedSession
  private let hashes: ContentHashes
  private let tables: SalvagedTables
  private var mendsLeft: Int
  private let budget: MendBudget

  /// A run is held in memory, and no writer makes one of more events than that.
  private static let mostInRun: Int64 = 65_536

  init(
    _ tables: SalvagedTables, _ catalog: SalvagedCatalog, _ session: SalvagedSession, mends: Int,
    _ budget: MendBudget
  ) {
    self.budget = budget
    (self.catalog, self.session) = (catalog, session)
    hashes = catalog.hashes(of: session)
    self.tables = tables
    mendsLeft = mends
  }

  /// Gives what is left, in order.
  ///
  /// - Returns: how many times a flipped bit may still be looked for.
  mutating func forEach(_ body: (SalvagedRun, ClosedRange<Int64>) throws -> Void) rethrows -> Int {
    let record = session.record
    let own =
      record.firstSeq...max(record.firstSeq, min(record.lastOwnSeq, HistoryFile.mostNumber))
    var next = own.lowerBound
    // The first run takes up the session.
    var link = SalvagedRun.Link(sum: record.chainSeed, isSession: true)
    for run in catalog.runs(of: session, most: Self.mostInRun) {
      let keys = run.first...run.last
      if run.first > next {
        let gap = next...(run.first - 1)
        let holdsEvents = try unsummed(gap, body)
        link.isNext = !holdsEvents && !tables.chain.mayHaveLost(in: gap)
      }
      let found = SalvagedRun(
        pieces(in: keys), run, after: link, hashes, first: record.firstSeq,
        budget: mendsLeft > 0 ? budget : nil)
      if found.mended != nil || found.verdict == .unverified(.changed) { mendsLeft -= 1 }
      try body(found, keys)
      link = SalvagedRun.Link(sum: found.sum)
      next = run.last + 1
      if next > own.upperBound { return mendsLeft }
    }
    _ = try unsummed(next...own.upperBound, body)
    return mendsLeft
  }

  /// Gives the events of which the chain says nothing.
  ///
  /// - Returns: whether there are any.
  private func unsummed(
    _ keys: ClosedRange<Int64>, _ body: (SalvagedRun, ClosedRange<Int64>) throws -> Void
  ) rethrows -> Bool {
    var holdsEvents = false
    for part in tables.events.parts(of: keys) {
      let run = SalvagedRun(unsummed: pieces(in: part))
      if run.rows.isEmpty { continue }
      holdsEvents = true
      try body(run, part)
    }
    return holdsEvents
  }

  private func pieces(in keys: ClosedRange<Int64>) -> SalvagedRun.Pieces {
    var pieces = SalvagedRun.Pieces()
    for page in tables.events.rows(in: keys) {
      let rows = page.compactMap { EventRow(stored: $0) }
      // A page on which one is not as it must be vouches for none.
      if rows.count == page.count, rows.allSatisfy(\.isPlausible) {
        pieces.sound += rows
      } else {
        pieces.doubtful += rows
      }
    }
    var known = Set((pieces.sound + pieces.doubtful).map(\.seq))
    for row in tables.events.remains(in: keys) {
      if let row = EventRow(stored: row), known.insert(row.seq).inserted {
        pieces.doubtful.append(row)
      }
    }
    for table in [tables.askings.rows(in: keys), tables.details.rows(in: keys)] {
      for row in table.joined() {
        pieces.details[row.key, default: EventDetail(seq: row.key)].take(stored: row)
      }
    }
    pieces.isShort =
      tables.askings.mayHaveLost(in: keys) || tables.details.mayHaveLost(in: keys)
    pieces.allDetails = pieces.details
    for rows in [tables.askings.remains(in: keys), tables.details.remains(in: keys)] {
      for row in rows {
        pieces.allDetails[row.key, default: EventDetail(seq: row.key)].take(stored: row)
      }
    }
    return pieces
  }
}
