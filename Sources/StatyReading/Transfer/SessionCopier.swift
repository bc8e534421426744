import Staty
package import StatyHistory

/// What may change in a session while it is copied; by default nothing does.
protocol SessionFilter {
  mutating func change(_ opening: inout SessionOpening)
  mutating func change(_ controller: inout ControllerRecord)
  mutating func change(_ loss: inout LossRecord)
  mutating func change(_ detail: inout EventDetail)
  /// The text in place of a name that events have.
  mutating func name(_ text: String, _ role: NameRole) -> String
}

/// What a name is of.
enum NameRole: String { case state, condition, file }

extension SessionFilter {
  mutating func change(_ opening: inout SessionOpening) {}
  mutating func change(_ controller: inout ControllerRecord) {}
  mutating func change(_ loss: inout LossRecord) {}
  mutating func change(_ detail: inout EventDetail) {}
  mutating func name(_ text: String, _ role: NameRole) -> String { text }
}

/// Changes nothing.
struct NoFilter: SessionFilter {}

/// Copies sessions of histories into a new one, event by event.
///
/// Findings are left out: they follow from the events, and may name events by their old numbers.
struct SessionCopier<Filter: SessionFilter> {
  private let writer: HistoryWriter
  var filter: Filter
  private(set) var sessions = 0
  private(set) var events: Int64 = 0
  /// The highest number that is in use.
  private(set) var lastSeq: Int64 = 0

  init(_ writer: HistoryWriter, _ filter: Filter) { (self.writer, self.filter) = (writer, filter) }

  /// Copies a session, which should have been verified before.
  ///
  /// - Parameters:
  ///   - delta: is added to the numbers of its events.
  ///   - id: its number in the file; by default the next.
  mutating func copy(
    _ session: SessionRecord, of source: inout CopySource, movedBy delta: Int64 = 0,
    as id: Int64? = nil
  ) throws {
    let reader = source.reader
    guard let ended = session.ended else {
      throw HistoryError.damaged("session \(session.id) ended in an unknown way")
    }
    var opening = SessionOpening(session)
    opening.firstSeq = session.firstSeq &+ delta
    filter.change(&opening)
    let target = try writer.restore(opening, as: id)
    for anchor in try reader.anchors(session: session.id) where !anchor.isImplied(by: session) {
      try writer.addAnchor(session: target, time: anchor.time, wallTime: anchor.wallTime)
    }
    let controllers = try copyControllers(of: session, reader, to: target)
    let losses = try copyLosses(of: session, reader, delta)
    lastSeq = max(lastSeq, session.firstSeq &+ delta, losses.last?.lastSeq ?? 0)
    // The numbers that an open session has drawn are its own, although no event has them yet.
    if ended == .open { lastSeq = max(lastSeq, session.firstSeq &+ delta &+ session.observed &- 1) }
    try copyEvents(of: session, &source, delta, controllers, to: target)
    try writer.restore(losses)
    try writer.restoreEnd(
      of: target, ended, observed: session.observed,
      payloadsLeftOut: reader.connection.payloadsLeftOut(of: session.id))
    sessions += 1
  }

  /// - Returns: the numbers of the controllers in the new file, by the old ones.
  private mutating func copyControllers(
    of session: SessionRecord, _ reader: HistoryReader, to target: Int64
  ) throws -> [Int32: Int32] {
    var numbers: [Int32: Int32] = [:]
    for var controller in try reader.controllers(session: session.id) {
      filter.change(&controller)
      numbers[controller.id] = try writer.addController(
        session: target, name: controller.name, policy: controller.policy,
        discipline: controller.discipline, fidelity: controller.fidelity,
        snapshot: controller.snapshot)
    }
    return numbers
  }

  private mutating func copyLosses(
    of session: SessionRecord, _ reader: HistoryReader, _ delta: Int64
  ) throws -> [LossRecord] {
    var losses = try reader.losses(session: session.id)
    for index in losses.indices {
      losses[index].firstSeq &+= delta
      losses[index].lastSeq &+= delta
      filter.change(&losses[index])
    }
    return losses
  }

  private mutating func copyEvents(
    of session: SessionRecord, _ source: inout CopySource, _ delta: Int64,
    _ controllers: [Int32: Int32], to target: Int64
  ) throws {
    var batch: (rows: [EventRow], details: [EventDetail]) = ([], [])
    func store() throws {
      _ = try batch.rows.withUnsafeBufferPointer {
        try writer.append($0, details: batch.details, to: target)
      }
      batch.rows.removeAll(keepingCapacity: true)
      batch.details.removeAll(keepingCapacity: true)
    }
    var cursor = try SessionEvents(source.reader, session: session)
    while var row = try cursor.next() {
      guard EventKind(rawValue: row.kind) != nil else {
        throw HistoryError.damaged("event \(row.seq) is of a kind that no version has written")
      }
      guard let controller = row.controller == 0 ? 0 : controllers[row.controller] else {
        throw HistoryError.unknownNumber(seq: row.seq)
      }
      row.controller = controller
      row.state = try source.name(row.state, .state, of: row, &filter, writer)
      if var detail = cursor.detail {
        for name in [\EventDetail.asked, \.refusedFrom] {
          detail[keyPath: name] = try source.name(
            detail[keyPath: name], .state, of: row, &filter, writer)
        }
        detail.refusedNeeds = try source.name(
          detail.refusedNeeds, .condition, of: row, &filter, writer)
        detail.seq &+= delta
        filter.change(&detail)
        batch.details.append(detail)
      }
      row.site = try source.site(row.site, of: row, &filter, writer)
      row.seq &+= delta
      row.renameCauses { $0 &+ delta }
      batch.rows.append(row)
      lastSeq = max(lastSeq, row.seq)
      events += 1
      if batch.rows.count == Self.batch { try store() }
    }
    if !batch.rows.isEmpty { try store() }
  }

  private static var batch: Int { 4_096 }
}

/// A history whose sessions are copied, and the numbers that its names get.
struct CopySource {
  let reader: HistoryReader
  private let names: [Int32: String]
  private let sites: [Int32: SiteRecord]
  private var states: [Int32: Int32] = [0: 0]
  private var conditions: [Int32: Int32] = [0: 0]
  private var places: [Int32: Int32] = [0: 0]

  init(_ reader: HistoryReader) throws {
    self.reader = reader
    names = try reader.names()
    sites = try reader.sites()
  }

  /// The new number of a name.
  fileprivate mutating func name(
    _ number: Int32, _ role: NameRole, of row: EventRow, _ filter: inout some SessionFilter,
    _ writer: HistoryWriter
  ) throws -> Int32 {
    if let known = role == .state ? states[number] : conditions[number] { return known }
    guard let text = names[number] else { throw HistoryError.unknownNumber(seq: row.seq) }
    let new = try writer.intern(name: filter.name(text, role))
    if role == .state { states[number] = new } else { conditions[number] = new }
    return new
  }

  /// The new number of a call site.
  fileprivate mutating func site(
    _ number: Int32, of row: EventRow, _ filter: inout some SessionFilter, _ writer: HistoryWriter
  ) throws -> Int32 {
    if let known = places[number] { return known }
    guard let site = sites[number] else { throw HistoryError.unknownNumber(seq: row.seq) }
    let new = try writer.intern(site: filter.name(site.file, .file), line: site.line)
    places[number] = new
    return new
  }
}

/// Writes the content of a history into a new one, and nothing else of its file.
package struct HistoryCopy {
  private let reader: HistoryReader

  /// A copy of this reader's history, which should have been verified before.
  package init(_ reader: HistoryReader) { self.reader = reader }

  /// Writes the sessions, with their numbers, into a new history.
  package func write(into writer: HistoryWriter) throws {
    var copier = SessionCopier(writer, NoFilter())
    var source = try CopySource(reader)
    for session in try reader.sessions() {
      try copier.copy(session, of: &source, as: session.id)
    }
  }
}
