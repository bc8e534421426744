import Staty
import StatyText

/// Goes over sessions of a history line by line, as they are written as text.
///
/// In memory are the names of the file, the controllers of a session, what it lost and what was
/// found in it, and one event.
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
    for finding in try reader.findings(session: session.id) {
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

  /// The text of a name that a number stands for; none for 0.
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
      throw HistoryError.damaged("nobody knows how session \(session.id) ended")
    }
    var line = TransferLine(.end)
    line[.ended] = .text(ended.rawValue)
    line[.events] = .integer(session.stored)
    line[.observed] = .integer(session.observed)
    line.set(.payloadsLeftOut, unlessZero: try reader.payloadsLeftOut(session: session.id))
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
    // What a recorder has written is the text of a record; anything else is kept as it is.
    if SnapshotRecord(controller.snapshot)?.text == controller.snapshot {
      line[.snapshot] = .json(JSONText.visible(controller.snapshot))
    } else {
      line[.snapshotText] = .text(controller.snapshot)
    }
    return line
  }
}

extension AnchorRecord {
  /// Whether it says no more than the session's opening.
  fileprivate func isImplied(by session: SessionRecord) -> Bool {
    time == 0 && wallTime == session.wallTime
  }
}
