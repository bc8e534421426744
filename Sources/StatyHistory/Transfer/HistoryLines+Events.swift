import Staty

extension HistoryLines {
  /// The line about an event, without what few events have.
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
    // What is left out may be worked out when it is read; that there is none is said.
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

  /// Adds what few events have.
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
    try line.set(.refusal, detail.refusal, EventDetail.refusals, detail.seq)
    line[.refusedFrom] = try name(detail.refusedFrom, detail.seq)
    line[.refusedNeeds] = try name(detail.refusedNeeds, detail.seq)
    line[.note] = .text(detail.note)
    if let payload = detail.payload { line.set(payload: payload) }
  }
}

extension TransferLine {
  /// Says where an event happened, and what caused it if that is another.
  mutating func set(placeOf row: EventRow) {
    set(.inside, unlessZero: row.inside)
    if row.inside != 0 { self[.part] = .text(row.part.text) }
    set(.cause, unlessZero: row.ownCause)
  }
}

extension HistoryLines {
  /// The line about something that the rules found.
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
