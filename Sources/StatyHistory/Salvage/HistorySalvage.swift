import Staty

/// Gets out of a damaged history what is left of it, into a new one.
///
/// What is taken stands on pages that are as they must be in every byte that says how they are laid
/// out, or has a checksum that says that it is right. Nothing is guessed: of what is not there the new
/// history says that it is lost, so that nobody judges over it.
public struct HistorySalvage {
  private let survey: PageSurvey
  private let tables: SalvagedTables

  /// The reason that the new history gives for what is missing.
  public static let reason = "damaged"

  /// No more flipped bits are looked for than that: each takes some milliseconds.
  private static let mostMends = 64

  /// Looks at every page of a file, and of the log beside it.
  ///
  /// - Parameter path: of a regular file; links are resolved before.
  public init(_ path: String) throws(HistoryError) {
    try HistoryReader.checkSize(of: path)
    survey = PageSurvey(try PageSource(path))
    tables = SalvagedTables(survey)
  }

  /// Writes what is left into a new history.
  public func write(into writer: HistoryWriter) throws(HistoryError) -> SalvageReport {
    var catalog = SalvagedCatalog(survey)
    choose(&catalog)
    var report = SalvageReport(pages: survey.pages, lostPages: survey.lost)
    var mends = Self.mostMends
    for session in catalog.sessions {
      do {
        report.sessions.append(try write(session, catalog, writer, &mends))
      } catch {
        throw HistoryError(error)
      }
    }
    return report
  }

  /// Takes of each name of which there are two texts the one with which more checksums are right.
  private func choose(_ catalog: inout SalvagedCatalog) {
    guard !catalog.doubted.isEmpty else { return }
    let count = verified(catalog)
    catalog.swapDoubted()
    if verified(catalog) <= count { catalog.swapDoubted() }
  }

  private func verified(_ catalog: SalvagedCatalog) -> Int {
    catalog.sessions.reduce(0) { count, session in
      var events = SalvagedEvents(tables, catalog, session, mends: 0)
      var found = 0
      _ = events.forEach { run, _ in found += run.verdict == .verified ? 1 : 0 }
      return count + found
    }
  }

  /// The controllers of which a checksum says that what is said of them is as it was stored.
  private func knownControllers(
    _ session: SalvagedSession, _ catalog: SalvagedCatalog
  ) -> Set<Int32> {
    let all = Set((catalog.controllers[session.record.id] ?? []).map(\.id))
    if session.sealed(catalog) == .controllers { return all }
    var events = SalvagedEvents(tables, catalog, session, mends: 0)
    var known: Set<Int32> = []
    _ = events.forEach { run, _ in
      guard run.verdict == .verified else { return }
      for row in run.rows where row.kind == EventKind.attached.rawValue {
        known.insert(row.controller)
      }
    }
    return known
  }

  private func write(
    _ session: SalvagedSession, _ catalog: SalvagedCatalog, _ writer: HistoryWriter,
    _ mends: inout Int
  ) throws -> SalvageReport.Session {
    let known = knownControllers(session, catalog)
    var target = try SalvageTarget(session, catalog, known, writer)
    var events = SalvagedEvents(tables, catalog, session, mends: mends)
    mends = try events.forEach { run, keys in try target.take(run, keys) }
    return try target.finish()
  }
}

/// A session of the new history.
private struct SalvageTarget {
  private let session: SalvagedSession
  private let catalog: SalvagedCatalog
  private let writer: HistoryWriter
  private let id: Int64
  private var controllers: [Int32: Int32] = [:]
  private var report: SalvageReport.Session
  /// The highest number that was given to an event.
  private var highest: Int64
  /// What was looked at so far ends here.
  private var reached: Int64
  /// Where something may be missing.
  private var doubts: [ClosedRange<Int64>] = []

  init(
    _ session: SalvagedSession, _ catalog: SalvagedCatalog, _ known: Set<Int32>,
    _ writer: HistoryWriter
  ) throws(HistoryError) {
    (self.session, self.catalog, self.writer) = (session, catalog, writer)
    let record = session.record
    id = try writer.restore(
      SessionOpening(
        uuid: record.uuid, app: record.app, appVersion: record.appVersion, os: record.os,
        pid: record.pid, wallTime: record.wallTime, firstSeq: record.firstSeq), as: record.id)
    report = SalvageReport.Session(id: record.id, uuid: record.uuid, isWhole: session.isWhole)
    reached = record.keptSeq - 1
    // What an open session has drawn may still be in its ring.
    let drawn = record.ended == .open ? 0 : max(0, record.observed)
    highest = max(
      record.lastSeq ?? 0, record.firstSeq &- 1 &+ drawn,
      catalog.chain.last { $0.first >= record.firstSeq && $0.first <= record.lastOwnSeq }?.last ?? 0
    )
    report.isSealed = session.sealed(catalog) != .nothing
    try begin(known)
  }

  private mutating func begin(_ known: Set<Int32>) throws(HistoryError) {
    let isCutKnown = holdsCut
    var cuts: [(id: Int32, cut: ControllerCut)] = []
    for controller in catalog.controllers[session.record.id] ?? [] {
      let isBroken =
        controller.snapshot.hasPrefix("{") && SnapshotRecord(controller.snapshot) == nil
      let isDropped =
        isBroken || (controller.cut == nil ? !known.contains(controller.id) : !isCutKnown)
      let number = try writer.addController(
        session: id, name: controller.name, policy: controller.policy,
        fidelity: controller.fidelity, snapshot: isDropped ? "" : controller.snapshot)
      controllers[controller.id] = number
      if let cut = controller.cut {
        cuts.append(
          (number, isCutKnown ? cut : ControllerCut(.unknown, since: cut.since, time: cut.time)))
      }
    }
    report.controllers = controllers.count
    if let cut = session.record.cut { try writer.restore(cut, of: id, cuts) }
    for anchor in session.anchors where anchor.time > 0 {
      try writer.addAnchor(session: id, time: anchor.time, wallTime: anchor.wallTime)
    }
  }

  /// Whether what is said of the cut is what was stored.
  private var holdsCut: Bool {
    guard let cut = session.record.cut,
      let anchor = catalog.chain.first(where: {
        $0.first == session.record.firstSeq && $0.count == 0
      })
    else { return false }
    return session.cutSum
      == CutHash.whole(
        session.record, cut, anchor: anchor.sum, catalog.controllers[session.record.id] ?? [],
        catalog.hashes(of: session.record.id))
  }

  mutating func take(_ run: SalvagedRun, _ keys: ClosedRange<Int64>) throws(HistoryError) {
    // The checksum of a run takes up that of the run before: nothing was between them.
    if run.verdict != .verified { doubt(through: keys.upperBound) }
    reached = keys.upperBound
    if run.verdict == .altered { report.altered += 1 }
    if run.mended != nil { report.mended += 1 }
    guard let last = run.rows.last else { return }
    highest = max(highest, last.seq)
    var rows = run.rows
    var details: [EventDetail] = []
    for index in rows.indices {
      rows[index].controller = controllers[rows[index].controller] ?? 0
      rows[index].state = try name(rows[index].state)
      if let site = catalog.sites[rows[index].site] {
        rows[index].site = try writer.intern(site: site.file, line: site.line)
      }
      guard var detail = run.details[rows[index].seq] else { continue }
      detail.asked = try name(detail.asked)
      detail.refusedFrom = try name(detail.refusedFrom)
      detail.refusedNeeds = try name(detail.refusedNeeds)
      details.append(detail)
    }
    report.events += Int64(rows.count)
    if run.verdict == .verified { report.verified += Int64(rows.count) }
    do {
      _ = try rows.withUnsafeBufferPointer { try writer.append($0, details: details, to: id) }
    } catch {
      throw HistoryError(error)
    }
  }

  private mutating func doubt(through last: Int64) {
    guard last > reached else { return }
    if let before = doubts.last, before.upperBound == reached {
      doubts[doubts.count - 1] = before.lowerBound...last
    } else {
      doubts.append(reached + 1...last)
    }
  }

  private func name(_ number: Int32) throws(HistoryError) -> Int32 {
    guard number != 0, let text = catalog.names[number] else { return 0 }
    return try writer.intern(name: text)
  }

  /// Says what is missing, and how the session ended.
  mutating func finish() throws(HistoryError) -> SalvageReport.Session {
    let record = session.record
    for loss in catalog.losses where loss.firstSeq >= record.keptSeq {
      if loss.firstSeq > record.lastOwnSeq { break }
      try restore(loss)
      highest = max(highest, min(loss.lastSeq, record.lastOwnSeq))
    }
    // What lies before another session was this one's.
    if !session.isWhole, record.lastOwnSeq != .max { highest = record.lastOwnSeq }
    highest = min(highest, record.lastOwnSeq, ImportedSession.mostSeq)
    doubt(through: highest)
    // Of a session that is over every number is stored or lost, whether its losses are left or not.
    if record.ended != .open, highest >= record.keptSeq { doubts = [record.keptSeq...highest] }
    for doubt in doubts where doubt.lowerBound <= highest {
      try writer.recordMissing(
        from: doubt.lowerBound, through: min(doubt.upperBound, highest)
      ) { _ in HistorySalvage.reason }
    }
    try writer.restoreEnd(
      of: id, record.ended ?? .crash,
      observed: max(
        0, min(record.observed, ImportedSession.mostSeq), highest - record.firstSeq + 1),
      payloadsLeftOut: max(0, session.payloadsLeftOut))
    let missing = try writer.reader().losses(session: id).filter {
      $0.reason == HistorySalvage.reason
    }
    report.missing = missing.map { $0.firstSeq...$0.lastSeq }
    return report
  }

  /// Says once more what was said to be lost, as far as no event says otherwise.
  private func restore(_ loss: LossRecord) throws(HistoryError) {
    let last = min(loss.lastSeq, session.record.lastOwnSeq)
    let stored = try asHistoryError {
      try writer.eventCount(from: loss.firstSeq, through: last)
    }
    let count = min(loss.count, last - loss.firstSeq + 1 - stored)
    guard count > 0 else { return }
    try writer.restore([
      LossRecord(firstSeq: loss.firstSeq, lastSeq: last, count: count, reason: loss.reason)
    ])
  }
}
