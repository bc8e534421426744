import Staty

/// A session of the new history.
struct SalvageTarget {
  private let session: SalvagedSession
  private let catalog: SalvagedCatalog
  private let vouching: SalvageVouching
  private let writer: HistoryWriter
  private let id: Int64
  private var controllers: [Int32: Int32] = [:]
  private var report: SalvageReport.Session
  /// The highest number of an event that is there.
  private var highest: Int64 = 0
  /// What was looked at so far ends here.
  private var reached: Int64
  /// Where something may be missing.
  private var doubts: [ClosedRange<Int64>] = []
  /// The numbers of events that were left out.
  private var leftOut: [ClosedRange<Int64>] = []

  init(
    _ session: SalvagedSession, _ catalog: SalvagedCatalog, _ vouching: SalvageVouching,
    _ writer: HistoryWriter
  ) throws {
    (self.session, self.catalog, self.writer) = (session, catalog, writer)
    self.vouching = vouching
    let record = session.record
    let isVouched = vouching.isSession
    let uuid =
      isVouched || session.isNameTwiceSaid ? record.uuid : record.uuid + " (unverified)"
    id = try writer.restore(
      SessionOpening(
        uuid: uuid, app: isVouched ? record.app : "",
        appVersion: isVouched ? record.appVersion : "",
        os: isVouched ? record.os : "", pid: isVouched ? record.pid : 0,
        wallTime: isVouched ? record.wallTime : 0, firstSeq: record.firstSeq,
        run: isVouched ? record.run : nil), as: record.id)
    report = SalvageReport.Session(id: record.id, uuid: uuid, isVouched: isVouched)
    report.isSealed = vouching.sealed != .nothing
    reached = record.firstSeq - 1
    try begin()
  }

  private mutating func begin() throws {
    for controller in session.controllers where vouching[controller.id] > .nothing {
      controllers[controller.id] = try add(controller)
    }
    report.controllers = controllers.count
    guard vouching.sealed != .nothing else { return }
    for anchor in session.anchors where anchor.time > 0 {
      try writer.addAnchor(session: id, time: anchor.time, wallTime: anchor.wallTime)
    }
  }

  private mutating func add(_ controller: ControllerRecord) throws -> Int32 {
    let isWhole = vouching[controller.id] == .whole
    if !isWhole { report.unvouchedControllers.append(controller.name) }
    let isBroken =
      SnapshotRecord.isObject(controller.snapshot) && SnapshotRecord(controller.snapshot) == nil
    return try writer.addController(
      session: id, name: controller.name,
      policy: isWhole ? controller.policy : HistorySalvage.unverifiedPolicy,
      discipline: isWhole ? controller.discipline : Discipline.atOnce.rawValue,
      fidelity: isWhole ? controller.fidelity : vouching.leastFidelity(of: controller.id),
      snapshot: isWhole && !isBroken ? controller.snapshot : "")
  }

  /// Takes events that are as they were stored: all that there were with these numbers.
  mutating func take(_ run: SalvagedRun, _ keys: ClosedRange<Int64>) throws {
    // The checksum of a run takes up that of the run before: nothing was between them.
    reached = max(reached, keys.upperBound)
    highest = max(highest, run.rows.last?.seq ?? 0)
    if run.mended != nil { report.mended += 1 }
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
    _ = try rows.withUnsafeBufferPointer { try writer.append($0, details: details, to: id) }
  }

  /// Leaves events out for which no checksum vouches; others with these numbers may be missing.
  mutating func leaveOut(
    _ run: SalvagedRun, _ keys: ClosedRange<Int64>, _ why: SalvageReport.Doubt
  ) {
    doubt(through: keys.upperBound)
    guard !run.rows.isEmpty else { return }
    report.unverified[why, default: 0] += Int64(run.rows.count)
    for row in run.rows {
      if let last = leftOut.last, last.upperBound >= row.seq - 1 {
        leftOut[leftOut.count - 1] = last.lowerBound...max(last.upperBound, row.seq)
      } else {
        leftOut.append(row.seq...row.seq)
      }
    }
  }

  private mutating func doubt(through last: Int64) {
    guard last > reached else { return }
    doubts.append(reached + 1...last)
    reached = last
  }

  private func name(_ number: Int32) throws -> Int32 {
    guard number != 0, let text = catalog.names[number] else { return 0 }
    return try writer.intern(name: text)
  }
}

// What is missing.
extension SalvageTarget {
  /// Says what is missing, and how the session ended.
  ///
  /// - Parameter lastEvent: the last number that an event on a sound page has.
  mutating func finish(lastEvent: Int64?) throws -> SalvageReport.Session {
    let record = session.record
    let isSealed = vouching.sealed != .nothing
    let end = self.end(lastEvent)
    if isSealed {
      for loss in session.losses where loss.firstSeq >= record.firstSeq { try restore(loss) }
    }
    doubt(through: end)
    let isOpen = isSealed && record.ended == .open
    // Of a session that is over every number is stored or lost, whether its losses are left or not.
    if !isOpen, end >= record.firstSeq { doubts = [record.firstSeq...end] }
    try recordMissing(leftOut, as: .unverified, through: end)
    try recordMissing(doubts, as: .damaged, through: end)
    let isCounted = vouching.sealed == .whole
    try writer.restoreEnd(
      of: id, isSealed ? record.ended ?? .killed : .killed,
      observed: max(0, end - record.firstSeq + 1),
      payloadsLeftOut: isCounted ? max(0, session.payloadsLeftOut) : 0)
    report.missing = try writer.reader().losses(session: id).filter {
      HistorySalvage.Loss.isNamed(in: $0.reason)
    }.map { $0.firstSeq...$0.lastSeq }
    return report
  }

  /// The last number that was given to an event, as far as is known.
  private func end(_ lastEvent: Int64?) -> Int64 {
    let record = session.record
    let most = min(record.lastOwnSeq, ImportedSession.mostSeq)
    let drawn = record.firstSeq - 1 + min(max(0, record.observed), HistoryFile.mostNumber)
    if vouching.sealed == .whole { return min(max(highest, drawn), most) }
    var told = [record.lastSeq, lastEvent, catalog.lastRun(of: session)?.last]
    // What an open session has drawn may still be in its ring.
    if record.ended != .open { told.append(drawn) }
    // What lies before another session was this one's.
    if record.lastOwnSeq != .max { told.append(record.lastOwnSeq) }
    // What only one of them says may be a flipped bit.
    let agreed = told.compactMap(\.self).filter { $0 <= most }.sorted().dropLast().last ?? 0
    return max(highest, agreed)
  }

  private func recordMissing(
    _ ranges: [ClosedRange<Int64>], as loss: HistorySalvage.Loss, through end: Int64
  ) throws {
    for range in ranges where range.lowerBound <= end {
      try writer.recordMissing(from: range.lowerBound, through: min(range.upperBound, end)) { _ in
        loss.rawValue
      }
    }
  }

  /// Says once more what was said to be lost, with what is missing there now.
  private func restore(_ loss: LossRecord) throws {
    let last = min(loss.lastSeq, session.record.lastOwnSeq)
    guard last >= loss.firstSeq else { return }
    let stored = try asHistoryError { try writer.eventCount(from: loss.firstSeq, through: last) }
    let gone = last - loss.firstSeq + 1 - stored
    guard gone > 0 else { return }
    let isMore = gone > loss.count
    try writer.restore([
      LossRecord(
        firstSeq: loss.firstSeq, lastSeq: last, count: gone,
        reason: isMore ? loss.reason + " or " + HistorySalvage.Loss.damaged.rawValue : loss.reason)
    ])
  }
}

extension HistorySalvage.Loss {
  /// Whether one of them is among the reasons that are given.
  static func isNamed(in reason: String) -> Bool {
    allCases.contains { reason == $0.rawValue || reason.hasSuffix(" or " + $0.rawValue) }
  }
}
