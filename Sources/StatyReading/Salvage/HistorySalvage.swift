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
    let isVouched =
      runs.first.map {
        isLeft($0) && events(of: $0, after: record.chainSeed, hashes, record) != nil
      }
      ?? false
    var target = try SalvageTarget(session, catalog, isVouched: isVouched, writer)
    var (before, reached) = (record.chainSeed, Int64.min)
    // Each event is read for one run only: in a hostile file, all runs may name the same events.
    for run in runs {
      if run.first > reached, isLeft(run) {
        reached = run.last
        if let (rows, details) = events(of: run, after: before, hashes, record) {
          try target.take(rows, details)
        }
      }
      before = run.sum
    }
    written = max(written, target.highest)
    return try target.finish(
      survey.count(of: .event, in: record.firstSeq...record.lastOwnSeq),
      lastInChain: runs.last?.last)
  }

  /// Whether all events of a run are left.
  private func isLeft(_ run: ChainRun) -> Bool {
    run.count > 0 && run.count <= Self.mostInRun && run.last >= run.first
      && survey.count(of: .event, in: run.first...run.last).rows == run.count
  }

  /// The events of a run; none unless its checksum confirms that these are all, and as they were
  /// stored.
  ///
  /// - Parameter before: the sum of the run before it.
  private func events(
    of run: ChainRun, after before: UInt64, _ hashes: ContentHashes, _ session: SessionRecord
  ) -> (rows: [EventRow], details: [Int64: EventDetail])? {
    let keys = run.first...run.last
    let rows = survey.rows(of: .event, in: keys).compactMap(EventRow.init(stored:))
    guard rows.count == run.count else { return nil }
    var details: [Int64: EventDetail] = [:]
    for row in survey.rows(of: .asking, in: keys) + survey.rows(of: .detail, in: keys) {
      details[row.key, default: EventDetail(seq: row.key)].take(stored: row)
    }
    var sum = ChainRun.link(before)
    for row in rows {
      guard let hash = hashes.hash(row, first: session.firstSeq) else { return nil }
      sum &+= hash
      guard let detail = details[row.seq] else { continue }
      guard let extra = hashes.hash(detail, first: session.firstSeq) else { return nil }
      sum &+= extra
    }
    return sum == run.sum ? (rows, details) : nil
  }
}

extension EventRow {
  /// The event in a row of the table `event`; none if the row holds no event.
  fileprivate init?(stored row: StoredRow) {
    let numbers = row.values.dropLast().compactMap(\.integerOrZero)
    guard row.key > 0, numbers.count == 6 else { return nil }
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
