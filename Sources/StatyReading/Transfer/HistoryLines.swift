import StatyHistory
import Staty
import StatyText

/// Goes through sessions of a history line by line, as they are written as text.
///
/// Memory holds the names of the file, the controllers, losses and findings of a session, and one
/// event.
struct HistoryLines {
  private let reader: HistoryReader
  private let names: [Int32: String]
  let sites: [Int32: SiteRecord]

  init(_ reader: HistoryReader) throws {
    self.reader = reader
    names = try reader.names()
    sites = try reader.sites()
  }

  /// Calls `body` with each line of a session in turn.
  func forEach(of session: SessionRecord, _ body: (TransferLine) throws -> Void) throws {
    try body(opening(session))
    for anchor in try reader.anchors(session: session.id) where !anchor.isImplied(by: session) {
      try body(line(anchor))
    }
    let controllers = try NamedControllers(reader.controllers(session: session.id))
    for controller in controllers.records { try body(line(controller, controllers)) }
    for loss in try reader.losses(session: session.id) { try body(line(loss)) }
    try forEachEvent(of: session, controllers, body)
    try reader.forEachFinding(session: session.id) { finding in
      try body(line(finding, controllers))
    }
    try body(end(session))
  }

  private func forEachEvent(
    of session: SessionRecord, _ controllers: NamedControllers,
    _ body: (TransferLine) throws -> Void
  ) throws {
    var events = try SessionEvents(reader, session: session)
    while let row = try events.next() {
      var line = try line(row, controllers)
      if let detail = events.detail { try add(detail, to: &line) }
      try body(line)
    }
  }

  /// The text of a name by its number; none for 0.
  func name(_ number: Int32, _ seq: Int64) throws -> TransferValue {
    if number == 0 { return .absent }
    guard let name = names[number] else { throw HistoryError.unknownNumber(seq: seq) }
    return .text(name)
  }
}

// MARK: Sessions

extension HistoryLines {
  private func opening(_ session: SessionRecord) -> TransferLine {
    var line = TransferLine(.session)
    line[.session] = .integer(session.id)
    line[.uuid] = .text(session.uuid)
    line[.run] = .text(session.run)
    line[.app] = .text(session.app)
    line[.appVersion] = .text(session.appVersion)
    line[.os] = .text(session.os)
    line[.pid] = .integer(Int64(session.pid))
    line[.wallUs] = .integer(session.wallTime)
    line[.firstSeq] = .integer(session.firstSeq)
    return line
  }

  private func line(_ anchor: AnchorRecord) -> TransferLine {
    var line = TransferLine(.anchor)
    line[.tUs] = .integer(anchor.time)
    line[.wallUs] = .integer(anchor.wallTime)
    return line
  }

  private func line(_ loss: LossRecord) -> TransferLine {
    var line = TransferLine(.loss)
    line[.firstSeq] = .integer(loss.firstSeq)
    line[.lastSeq] = .integer(loss.lastSeq)
    line[.count] = .integer(loss.count)
    line[.reason] = .text(loss.reason)
    return line
  }

  private func end(_ session: SessionRecord) throws -> TransferLine {
    guard let ended = session.ended else {
      throw HistoryError.damaged("session \(session.id) ended in an unknown way")
    }
    var line = TransferLine(.end)
    line[.ended] = .text(ended.rawValue)
    line[.events] = .integer(session.stored)
    line[.observed] = .integer(session.observed)
    line.set(.payloadsLeftOut, unlessZero: try reader.connection.payloadsLeftOut(of: session.id))
    return line
  }
}

// MARK: Controllers

extension HistoryLines {
  private func line(_ controller: ControllerRecord, _ all: NamedControllers) -> TransferLine {
    var line = TransferLine(.controller)
    line[.controller] = .text(controller.name)
    let key = all.keys[controller.id] ?? controller.name
    if key != controller.name { line[.key] = .text(key) }
    line[.policy] = .text(controller.policy)
    line[.discipline] =
      Discipline(rawValue: controller.discipline).map { .text($0.word) }
      ?? .integer(Int64(controller.discipline))
    line[.fidelity] =
      Fidelity(rawValue: controller.fidelity).map { .text($0.word) }
      ?? .integer(Int64(controller.fidelity))
    // A recorder writes the text of a record; anything else is kept unchanged.
    if SnapshotRecord(controller.snapshot)?.text == controller.snapshot {
      line[.snapshot] = .json(JSONText.visible(controller.snapshot))
    } else {
      line[.snapshotText] = .text(controller.snapshot)
    }
    return line
  }
}

extension AnchorRecord {
  /// Whether it adds nothing to the session's opening.
  func isImplied(by session: SessionRecord) -> Bool {
    time == 0 && wallTime == session.wallTime
  }
}
extension HistoryLines {
  /// The line of an event, without its rare parts.
  func line(_ row: EventRow, _ controllers: NamedControllers) throws -> TransferLine {
    guard let kind = EventKind(rawValue: row.kind) else {
      throw HistoryError.damaged("event \(row.seq) is of a kind that no version has written")
    }
    var line = TransferLine()
    line[.seq] = .integer(row.seq)
    line[.tUs] = .integer(row.time)
    line[.kind] = .text(kind.text)
    if row.controller != 0 {
      guard let key = controllers.keys[row.controller] else {
        throw HistoryError.unknownNumber(seq: row.seq)
      }
      line[.controller] = .text(key)
    }
    line.set(.visit, unlessZero: row.visit)
    line[.state] = try name(row.state, row.seq)
    // A key that is left out may be filled in by the reader, so a missing state is stated.
    if row.visit != 0, row.state == 0 { line[.state] = .null }
    if row.reason != 0 {
      guard let reason = EventReason(kind: kind, code: row.reason) else {
        throw HistoryError.damaged("event \(row.seq) has a reason that no version has written")
      }
      line[.reason] = .text(reason.text)
    }
    line.set(placeOf: row)
    line.set(.thread, unlessZero: row.thread)
    if row.site != 0 {
      guard let site = sites[row.site] else { throw HistoryError.unknownNumber(seq: row.seq) }
      line[.site] = .text(site.file)
      line[.line] = .integer(site.line)
    }
    return line
  }

  /// Adds the rare parts of an event.
  func add(_ detail: EventDetail, to line: inout TransferLine) throws {
    line.set(.origin, unlessZero: detail.origin)
    line.set(.instance, unlessZero: detail.instance)
    line.set(.priority, unlessZero: detail.priority)
    if let equality = detail.equality { line[.equality] = .integer(Int64(equality)) }
    if detail.answers != 0 {
      line[.answers] = Int64(exactly: detail.answers).map { .integer($0) } ?? .large(detail.answers)
    }
    line[.asked] = try name(detail.asked, detail.seq)
    line.set(.step, unlessZero: detail.step)
    line.set(.ageUs, unlessZero: detail.age)
    try line.set(.objection, detail.objection, Objection.words, detail.seq)
    try line.set(.refusal, detail.refusal, RefusalRecord.words, detail.seq)
    line[.refusedFrom] = try name(detail.refusedFrom, detail.seq)
    line[.refusedNeeds] = try name(detail.refusedNeeds, detail.seq)
    line[.note] = .text(detail.note)
    if let payload = detail.payload { line.set(payload: payload) }
  }
}

extension TransferLine {
  /// Sets the place of an event, and its cause if that differs.
  mutating func set(placeOf row: EventRow) {
    set(.inside, unlessZero: row.inside)
    if row.inside != 0 { self[.part] = .text(row.part.text) }
    set(.cause, unlessZero: row.ownCause)
  }
}

extension HistoryLines {
  /// The line of a finding.
  func line(_ finding: FindingRecord, _ all: NamedControllers) throws -> TransferLine {
    var line = TransferLine(.finding)
    line[.seq] = .integer(finding.seq)
    line[.controller] = .text(all.keys[finding.controller])
    line.set(.visit, unlessZero: finding.visit)
    line[.state] = try name(finding.state, finding.seq)
    line[.code] = .text(finding.code)
    line[.severity] = .text(finding.severity)
    line[.detail] = .text(finding.detail)
    line[.final] = .bool(finding.isFinal)
    return line
  }
}

/// The controllers of a session with unique names for its lines: their own names, with a number if
/// several have the same.
struct NamedControllers {
  let records: [ControllerRecord]
  private(set) var keys: [Int32: String] = [:]

  init(_ records: [ControllerRecord]) {
    self.records = records
    var taken = Set(records.map { ExactText(text: $0.name) })
    // The number that the next controller of a name tries first: lower ones are taken.
    var numbers: [ExactText: Int] = [:]
    for record in records {
      let name = ExactText(text: record.name)
      guard var number = numbers[name] else {
        numbers[name] = 2
        keys[record.id] = name.text
        continue
      }
      var key: ExactText
      repeat {
        key = ExactText(text: "\(record.name)#\(number)")
        number += 1
      } while !taken.insert(key).inserted
      numbers[name] = number
      keys[record.id] = key.text
    }
  }
}
