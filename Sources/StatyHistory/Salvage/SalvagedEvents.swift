import Staty

/// What is left of the tables that a session's events stand in.
struct SalvagedTables {
  var events: SalvagedPages
  var askings: SalvagedPages
  var details: SalvagedPages
  let chain: SalvagedPages
  let lostNames: [ClosedRange<Int64>]
  let lostSites: [ClosedRange<Int64>]
  let lostControllers: [ClosedRange<Int64>]

  init(_ survey: PageSurvey) {
    events = SalvagedPages(survey, .event)
    askings = SalvagedPages(survey, .asking)
    details = SalvagedPages(survey, .detail)
    chain = SalvagedPages(survey, .chain)
    lostNames = survey.lostKeys(of: .name)
    lostSites = survey.lostKeys(of: .site)
    lostControllers = survey.lostKeys(of: .controller)
  }
}

/// Reads what is left of the events of a session, run by run.
struct SalvagedEvents {
  private let catalog: SalvagedCatalog
  private let session: SalvagedSession
  private let hashes: ContentHashes
  private let controllers: Set<Int32>
  private var tables: SalvagedTables
  private let sealed: SalvagedSession.Sealed
  private var mendsLeft: Int

  /// A run is held in memory, and no writer makes one of more events than that.
  private static let mostInRun: Int64 = 65_536

  init(
    _ tables: SalvagedTables, _ catalog: SalvagedCatalog, _ session: SalvagedSession, mends: Int
  ) {
    (self.catalog, self.session) = (catalog, session)
    hashes = catalog.hashes(of: session.record.id)
    controllers = Set((catalog.controllers[session.record.id] ?? []).map(\.id))
    sealed = session.sealed(catalog)
    self.tables = tables
    mendsLeft = mends
  }

  /// Gives what is left, in order.
  ///
  /// - Returns: how many times a flipped bit may still be looked for.
  mutating func forEach(_ body: (SalvagedRun, ClosedRange<Int64>) throws -> Void) rethrows -> Int {
    let own = session.record.keptSeq...session.record.lastOwnSeq
    var next = own.lowerBound
    var before = anchorSum
    for run in runs {
      let keys = run.first...run.last
      if run.first > next { try unsummed(next...(run.first - 1), body) }
      if tables.chain.mayHaveLost(in: next...max(next, run.first - 1)), run.first > next {
        before = nil
      }
      let pieces = pieces(in: keys)
      let found = SalvagedRun(
        pieces, run, before: before, hashes, first: session.record.firstSeq, mends: mendsLeft > 0)
      if found.mended != nil || found.verdict == .altered { mendsLeft -= 1 }
      try body(found.sifted(self, keys), keys)
      before = found.sum
      next = run.last + 1
      if next > own.upperBound { return mendsLeft }
    }
    try unsummed(next...own.upperBound, body)
    return mendsLeft
  }

  /// What the first run takes up: the session, or what stands for the events that were cut off.
  private var anchorSum: UInt64? {
    if session.record.cut == nil { return session.record.chainSeed }
    return catalog.chain.first { $0.first == session.record.firstSeq && $0.count == 0 }?.sum
  }

  /// The session's runs, none over another.
  private var runs: [ChainRun] {
    var runs: [ChainRun] = []
    for run in catalog.chain {
      guard run.count > 0, run.count <= Self.mostInRun, run.count <= run.last - run.first + 1,
        run.first >= session.record.keptSeq, run.last <= session.record.lastOwnSeq,
        run.first > runs.last?.last ?? 0
      else { continue }
      runs.append(run)
    }
    return runs
  }

  /// Gives the events of which the chain says nothing.
  private mutating func unsummed(
    _ keys: ClosedRange<Int64>, _ body: (SalvagedRun, ClosedRange<Int64>) throws -> Void
  ) rethrows {
    for part in tables.events.parts(of: keys) {
      let run = SalvagedRun(
        pieces(in: part), nil, before: nil, hashes, first: session.record.firstSeq, mends: false)
      if !run.rows.isEmpty { try body(run.sifted(self, part), part) }
    }
  }

  private mutating func pieces(in keys: ClosedRange<Int64>) -> SalvagedRun.Pieces {
    var pieces = SalvagedRun.Pieces()
    for page in tables.events.rows(in: keys) {
      let rows = page.compactMap { EventRow(stored: $0) }
      if rows.count == page.count, rows.allSatisfy(isPossible) {
        pieces.sound += rows
        pieces.isOpen = pieces.isOpen || !rows.allSatisfy(isKnown)
      } else {
        // A page on which one is not as it must be vouches for none.
        pieces.doubtful += rows
      }
    }
    var known = Set((pieces.sound + pieces.doubtful).map(\.seq))
    for row in Self.rows(tables.events.remains, in: keys) {
      if let row = EventRow(stored: row), known.insert(row.seq).inserted {
        pieces.doubtful.append(row)
      }
    }
    for table in [tables.askings.rows(in: keys), tables.details.rows(in: keys)] {
      for row in table.joined() { pieces.take(row, isSound: true) }
    }
    pieces.allDetails = pieces.details
    for table in [tables.askings.remains, tables.details.remains] {
      for row in Self.rows(table, in: keys) { pieces.take(row, isSound: false) }
    }
    let isBeginning = pieces.sound.first.map { $0.seq == session.record.firstSeq } ?? false
    let guardsMore =
      sealed == .nothing && isBeginning
      || sealed != .controllers && pieces.sound.contains { $0.kind == EventKind.attached.rawValue }
    pieces.isOpen =
      pieces.isOpen || guardsMore || !catalog.doubted.isEmpty
      || tables.askings.mayHaveLost(in: keys)
      || tables.details.mayHaveLost(in: keys)
    return pieces
  }

  private static func rows(
    _ rows: [StoredRow], in keys: ClosedRange<Int64>
  ) -> some Sequence<StoredRow> {
    rows.lazy.filter { keys.contains($0.key) }
  }

  /// Whether what an event names is there.
  fileprivate func isKnown(_ row: EventRow) -> Bool {
    (row.state == 0 || catalog.names[row.state] != nil)
      && (row.controller == 0 || controllers.contains(row.controller)) && isPlaceKnown(row)
  }

  fileprivate func isPlaceKnown(_ row: EventRow) -> Bool {
    row.site == 0 || catalog.sites[row.site] != nil
  }

  /// Whether what an event names is there, or is among what is lost.
  private func isPossible(_ row: EventRow) -> Bool {
    func mayBe(_ number: Int32, in lost: [ClosedRange<Int64>]) -> Bool {
      lost.contains { $0.contains(Int64(number)) }
    }
    return row.isPlausible
      && (row.state == 0 || catalog.names[row.state] != nil
        || mayBe(row.state, in: tables.lostNames))
      && (isPlaceKnown(row) || mayBe(row.site, in: tables.lostSites))
      && (row.controller == 0 || controllers.contains(row.controller)
        || mayBe(row.controller, in: tables.lostControllers))
  }

  /// Whether an event may have had something beside its row that is lost.
  fileprivate func isHalf(_ row: EventRow, _ detail: EventDetail?) -> Bool {
    let isRequest = row.kind == EventKind.enqueued.rawValue
    let isRefusal =
      row.kind == EventKind.discarded.rawValue && row.reason == EventReason.rejected.code
    let hasAsking = detail.map { $0.instance != 0 || $0.origin != 0 } ?? false
    if isRequest, !hasAsking, tables.askings.mayHaveLost(row.seq) { return true }
    guard isRequest || isRefusal || row.kind == EventKind.mark.rawValue else { return false }
    return detail?.hasRest != true && tables.details.mayHaveLost(row.seq)
  }

  /// Whether all that a detail names is there.
  fileprivate func isKnown(_ detail: EventDetail) -> Bool {
    [detail.asked, detail.refusedFrom, detail.refusedNeeds].allSatisfy {
      $0 == 0 || catalog.names[$0] != nil
    }
  }
}

extension SalvagedRun {
  /// Without the events of which only a half may be left, if that is not known.
  fileprivate func sifted(_ events: SalvagedEvents, _ keys: ClosedRange<Int64>) -> SalvagedRun {
    switch verdict {
    case .verified: self
    case .altered: without { _ in true }
    case .unverified:
      withPlaces(events).without { row in
        let detail = details[row.seq]
        return halves.contains(row.seq) || events.isHalf(row, detail) || !events.isKnown(row)
          || !(detail.map(events.isKnown) ?? true)
      }
    }
  }

  /// Where an event was asked for is left out if it is not known: the rest of it is.
  private func withPlaces(_ events: SalvagedEvents) -> SalvagedRun {
    var run = self
    for index in rows.indices where !events.isPlaceKnown(rows[index]) { run.rows[index].site = 0 }
    return run
  }

  private func without(_ isGone: (EventRow) -> Bool) -> SalvagedRun {
    var run = self
    run.rows.removeAll(where: isGone)
    return run
  }
}

extension SalvagedRun.Pieces {
  fileprivate mutating func take(_ row: StoredRow, isSound: Bool) {
    if isSound, row.values.contains(where: { $0.bytes != nil && $0.text == nil }) {
      halves.insert(row.key)
      isOpen = true
    } else if isSound {
      details[row.key, default: EventDetail(seq: row.key)].take(stored: row)
    } else {
      allDetails[row.key, default: EventDetail(seq: row.key)].take(stored: row)
    }
  }
}
