package import StatyHistory
import Staty

/// Recovers what is left of a damaged history into a new one.
///
/// The new history holds only whole runs of events with a correct checksum. It records everything
/// else as lost, so that no rule draws conclusions across it. Nothing is repaired.
package struct HistorySalvage {
  private let survey: PageSurvey

  /// The most events of a run: a run is held in memory, and no writer makes a longer one.
  private static let mostInRun: Int64 = 65_536

  /// Reads every page of a file and of its log.
  ///
  /// - Parameter path: the path of a regular file, with links resolved.
  package init(_ path: String) throws(HistoryError) {
    try HistoryReader.checkSize(of: path)
    survey = PageSurvey(try PageSource(path))
  }

  /// Writes what is left into a new history.
  package func write(into writer: HistoryWriter) throws -> SalvageReport {
    let catalog = SalvagedCatalog(survey)
    var report = SalvageReport(pages: survey.pages, lostPages: survey.lost)
    report.logBreak = survey.source.logBreak
    report.sessionsLeftOut = catalog.sessionsLeftOut
    // A session's numbers end where the next session's begin.
    let before = catalog.sessions.first.map { $0.record.firstSeq - 1 } ?? .max
    report.strays = survey.count(of: .event, in: .min...before).rows
    var reached = Int64(0)
    for var session in catalog.sessions {
      // The number at which it begins is damaged: checksums confirm events of the session before behind it.
      session.record.firstSeq = max(session.record.firstSeq, reached + 1)
      guard session.record.firstSeq <= session.record.lastOwnSeq else {
        report.sessionsLeftOut += 1
        continue
      }
      report.sessions.append(try write(session, catalog, into: writer, &reached))
    }
    return report
  }

  /// - Parameter written: the highest number of an event that was written.
  private func write(
    _ session: SalvagedSession, _ catalog: SalvagedCatalog, into writer: HistoryWriter,
    _ written: inout Int64
  ) throws -> SalvageReport.Session {
    let (hashes, record) = (catalog.hashes(of: session), session.record)
    let runs = catalog.runs(of: session)
    // The checksum of the first run covers the session itself, too.
    var isVouched = false
    forEachConfirmed(runs.prefix(2), of: record, hashes) { events in
      isVouched = isVouched || events.rows[0].seq <= runs[runs.startIndex].first
    }
    var target = try SalvageTarget(session, catalog, isVouched: isVouched, writer)
    try forEachConfirmed(runs, of: record, hashes) { try target.take($0.rows, $0.details) }
    written = max(written, target.highest)
    return try target.finish(
      survey.count(of: .event, in: record.firstSeq...record.lastOwnSeq),
      lastInChain: runs.last?.last)
  }

  /// The events of a run, as they can be read.
  private struct RunEvents {
    var rows: [EventRow]
    var details: [Int64: EventDetail] = [:]
    /// The sum of their hashes.
    var sum: UInt64 = 0

    /// The sum of the run if that of the run before is this.
    func sum(after before: UInt64) -> UInt64 { ChainRun.link(before) &+ sum }
  }

  /// Calls `body` with the events of each run whose checksum confirms that these are all, and as they
  /// were stored.
  ///
  /// If the row of a run is lost, or its sum is damaged, the sum of the next run confirms its events:
  /// it includes theirs.
  private func forEachConfirmed(
    _ runs: ArraySlice<ChainRun>, of session: SessionRecord, _ hashes: ContentHashes,
    _ body: (RunEvents) throws -> Void
  ) rethrows {
    var (before, reached) = (session.chainSeed, session.firstSeq - 1)
    // The events that only the next sum can confirm, and the sum that they should have.
    var open: (events: RunEvents, sum: UInt64)?
    func read(_ first: Int64, _ last: Int64, count: Int64? = nil) -> RunEvents? {
      // Each event is read for one run only: in a hostile file, all runs may name the same events.
      guard first > reached, last >= first else { return nil }
      let found = survey.count(of: .event, in: first...last).rows
      guard found > 0, found <= Self.mostInRun, found == count ?? found else { return nil }
      reached = last
      return events(in: first...last, count: found, hashes, session)
    }
    for run in runs {
      if open == nil, let events = read(reached + 1, run.first - 1) {
        open = (events, events.sum(after: before))
      }
      let events = read(run.first, run.last, count: run.count)
      if let events, events.sum(after: before) == run.sum {
        try body(events)
        open = nil
      } else if let events, let confirmed = open, events.sum(after: confirmed.sum) == run.sum {
        try body(confirmed.events)
        try body(events)
        open = nil
      } else {
        open = events.map { ($0, $0.sum(after: before)) }
      }
      before = run.sum
    }
  }

  /// The events with these numbers; none if one of them cannot be read.
  private func events(
    in keys: ClosedRange<Int64>, count: Int64, _ hashes: ContentHashes, _ session: SessionRecord
  ) -> RunEvents? {
    var events = RunEvents(
      rows: survey.rows(of: .event, in: keys).compactMap(EventRow.init(stored:)))
    guard events.rows.count == count else { return nil }
    for row in survey.rows(of: .asking, in: keys) + survey.rows(of: .detail, in: keys) {
      events.details[row.key, default: EventDetail(seq: row.key)].take(stored: row)
    }
    for row in events.rows {
      guard let hash = hashes.hash(row, first: session.firstSeq) else { return nil }
      events.sum &+= hash
      guard let detail = events.details[row.seq] else { continue }
      guard let extra = hashes.hash(detail, first: session.firstSeq) else { return nil }
      events.sum &+= extra
    }
    return events
  }
}

extension EventRow {
  /// The event in a row of the table `event`; none if the row holds no event.
  fileprivate init?(stored row: StoredRow) {
    let numbers = row.values.dropLast().compactMap(\.integerOrZero)
    guard row.key > 0, row.key <= HistoryFile.mostNumber, numbers.count == 6 else { return nil }
    self.init(
      seq: row.key, time: numbers[0], what: numbers[1], visit: numbers[2], state: numbers[3],
      place: numbers[4], reference: numbers[5])
    let said = [time, what, Int64(visit), Int64(state), place, reference]
    guard said == numbers, time >= 0, EventKind(rawValue: kind) != nil else { return nil }
  }
}

extension EventDetail {
  /// Adds a row of the table `asking` or `detail`.
  fileprivate mutating func take(stored row: StoredRow) {
    let (values, numbers) = (row.values, row.values.map { $0.integerOrZero ?? 0 })
    if values.count == 3 {
      instance = UInt32(truncatingIfNeeded: numbers[1])
      origin = UInt32(truncatingIfNeeded: numbers[2])
      return
    }
    priority = Int32(truncatingIfNeeded: numbers[1])
    equality = values[2] == .null ? nil : UInt32(truncatingIfNeeded: numbers[2])
    answers = UInt64(bitPattern: numbers[3])
    asked = Int32(truncatingIfNeeded: numbers[4])
    objection = UInt8(truncatingIfNeeded: numbers[5])
    refusal = UInt8(truncatingIfNeeded: numbers[6])
    refusedFrom = Int32(truncatingIfNeeded: numbers[7])
    refusedNeeds = Int32(truncatingIfNeeded: numbers[8])
    step = UInt32(truncatingIfNeeded: numbers[9])
    age = numbers[10]
    note = values[11].text
    if case .blob(let bytes) = values[12] { payload = bytes }
  }
}
