import StatyHistory
import Staty

/// Writes one recovered session into the new history.
struct SalvageTarget {
  private let session: SalvagedSession
  private let catalog: SalvagedCatalog
  private let writer: HistoryWriter
  private let id: Int64
  private let isSealed: Bool
  private let known: [Int32: ControllerRecord]
  private var controllers: [Int32: Int32] = [:]
  private var report: SalvageReport.Session
  /// The highest number of a recovered event.
  private(set) var highest: Int64 = 0

  /// - Parameter isVouched: whether a checksum of events confirms the session's own data.
  init(
    _ session: SalvagedSession, _ catalog: SalvagedCatalog, isVouched: Bool, _ writer: HistoryWriter
  ) throws {
    (self.session, self.catalog, self.writer) = (session, catalog, writer)
    isSealed = session.isSealed
    known = Dictionary(session.controllers.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
    let record = session.record
    let isVouched = isVouched || isSealed
    let uuid = record.uuid + (isVouched ? "" : " (unverified)")
    id = try writer.restore(
      SessionOpening(
        uuid: uuid, app: isVouched ? record.app : "",
        appVersion: isVouched ? record.appVersion : "",
        os: isVouched ? record.os : "", pid: isVouched ? record.pid : 0,
        wallTime: isVouched ? record.wallTime : 0, firstSeq: record.firstSeq,
        run: isVouched ? record.run : nil), as: record.id)
    report = SalvageReport.Session(
      id: record.id, uuid: uuid, isVouched: isVouched, isSealed: isSealed)
    if isSealed {
      for controller in session.controllers { try add(controller, isWhole: true) }
    }
    guard isSealed else { return }
    for anchor in session.anchors where !anchor.isImplied(by: record) {
      try writer.addAnchor(session: id, time: anchor.time, wallTime: anchor.wallTime)
    }
  }

  private mutating func add(_ controller: ControllerRecord, isWhole: Bool) throws {
    if !isWhole { report.unvouchedControllers.append(controller.name) }
    let isBroken =
      SnapshotRecord.isObject(controller.snapshot) && SnapshotRecord(controller.snapshot) == nil
    controllers[controller.id] = try writer.addController(
      session: id, name: controller.name,
      policy: isWhole ? controller.policy : ControllerRecord.unverifiedPolicy,
      discipline: isWhole ? controller.discipline : Discipline.atOnce.rawValue,
      // The least fidelity is judged least.
      fidelity: isWhole ? controller.fidelity : Fidelity.threeKind.rawValue,
      snapshot: isWhole && !isBroken ? controller.snapshot : "")
    report.controllers = controllers.count
  }

  /// Takes the events of a run, which a checksum confirms.
  mutating func take(_ run: [EventRow], _ details: [Int64: EventDetail]) throws {
    // The checksum of an event covers its controller's name; that of an `attached` covers the whole
    // controller.
    let attached = Set(run.filter { $0.kind == EventKind.attached.rawValue }.map(\.controller))
    for row in run where row.controller != 0 && controllers[row.controller] == nil {
      guard let known = known[row.controller] else { continue }
      try add(known, isWhole: attached.contains(known.id))
    }
    var rows = run
    var own: [EventDetail] = []
    for index in rows.indices {
      rows[index].controller = controllers[rows[index].controller] ?? 0
      rows[index].state = try name(rows[index].state)
      if let site = catalog.sites[rows[index].site] {
        rows[index].site = try writer.intern(site: site.file, line: site.line)
      }
      guard var detail = details[rows[index].seq] else { continue }
      detail.asked = try name(detail.asked)
      detail.refusedFrom = try name(detail.refusedFrom)
      detail.refusedNeeds = try name(detail.refusedNeeds)
      own.append(detail)
    }
    highest = max(highest, rows.last?.seq ?? 0)
    report.events += Int64(rows.count)
    _ = try rows.withUnsafeBufferPointer { try writer.append($0, details: own, to: id) }
  }

  private func name(_ number: Int32) throws -> Int32 {
    guard number != 0, let text = catalog.names[number] else { return 0 }
    return try writer.intern(name: text)
  }

  /// Records what is missing, and how the session ended.
  ///
  /// - Parameters:
  ///   - told: how many of its events can be read, and their last number.
  ///   - lastInChain: the last number with a known checksum.
  mutating func finish(
    _ told: (rows: Int64, last: Int64?), lastInChain: Int64?
  ) throws -> SalvageReport.Session {
    let record = session.record
    let end = end(told.last, lastInChain)
    var losses: [LossRecord] = []
    if isSealed {
      var reached = record.firstSeq - 1
      for loss in session.losses where loss.firstSeq > reached && loss.lastSeq <= end {
        let stored = try asHistoryError {
          try writer.eventCount(from: loss.firstSeq, through: loss.lastSeq)
        }
        guard loss.lastSeq - loss.firstSeq + 1 - stored == loss.count else { continue }
        losses.append(loss)
        reached = loss.lastSeq
      }
      try writer.restore(losses)
    }
    if end >= record.firstSeq {
      try writer.recordMissing(from: record.firstSeq, through: end) { _ in
        LossReason.damaged.rawValue
      }
    }
    try writer.restoreEnd(
      of: id, isSealed ? record.ended ?? .killed : .killed,
      observed: max(0, end - record.firstSeq + 1),
      payloadsLeftOut: isSealed ? max(0, session.payloadsLeftOut) : 0)
    let before = Set(losses.map(\.firstSeq))
    report.missing = try writer.reader().losses(session: id)
      .filter { !before.contains($0.firstSeq) }.map { $0.firstSeq...$0.lastSeq }
    report.unverified = max(0, told.rows - report.events)
    return report
  }

  /// The last number that is known to have been given to an event.
  private func end(_ lastEvent: Int64?, _ lastInChain: Int64?) -> Int64 {
    let record = session.record
    let most = max(highest, min(record.lastOwnSeq, ImportedSession.mostSeq))
    let drawn = record.firstSeq - 1 + min(max(0, record.observed), HistoryFile.mostNumber)
    if isSealed, record.ended != .open { return min(max(highest, drawn), most) }
    var told = [record.lastSeq, lastEvent, lastInChain]
    // The numbers that an open session has drawn may still be in its ring.
    if record.ended != .open { told.append(drawn) }
    // The numbers before another session belonged to this one.
    if record.lastOwnSeq != .max { told.append(record.lastOwnSeq) }
    // A value that only one of them has may be damaged.
    let agreed = told.compactMap(\.self).filter { $0 <= most }.sorted().dropLast().last ?? 0
    return max(highest, agreed)
  }
}
