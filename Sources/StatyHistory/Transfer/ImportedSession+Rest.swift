// What lines say of a session beside its events.
import Staty

extension ImportedSession {
  mutating func take(anchor line: TransferLine) throws {
    let time = try line.sinceBeginning() ?? line.needed(.tUs)
    let wall = try line.moment(.at) ?? line.needed(.wallUs, in: TransferLine.moments)
    try begin()
    try writer.addAnchor(session: id, time: time, wallTime: wall)
  }

  mutating func take(loss line: TransferLine) throws {
    try begin()
    let reason = try line.text(.reason) ?? "not said"
    if isPlain {
      let count = try line.needed(.count, in: 1...(1 << 40))
      guard count <= Self.mostSeq - lastSeq else { throw LineProblem.noNumbersLeft }
      losses.append(
        LossRecord(
          firstSeq: lastSeq + 1, lastSeq: lastSeq + count, count: count, reason: reason))
      lastSeq += count
    } else {
      let first = try line.needed(.firstSeq, in: (opening.firstSeq ?? 1)...Self.mostSeq)
      let last = try line.needed(.lastSeq, in: first...Self.mostSeq)
      let count = try line.integer(.count, in: 0...(last - first + 1)) ?? (last - first + 1)
      losses.append(LossRecord(firstSeq: first, lastSeq: last, count: count, reason: reason))
      lastLost = max(lastLost, last)
    }
    if losses.count >= Self.batch { try flush() }
  }

  mutating func take(finding line: TransferLine) throws {
    try begin()
    if isFragment { try controllers.meet(line, in: id, writer) }
    let finding = FindingRecord(
      session: id, seq: try line.needed(.seq), code: try line.neededText(.code),
      severity: try line.neededText(.severity),
      controller: try controllers.number(of: line, .mark),
      visit: UInt32(try line.integer(.visit, in: 0...Int64(UInt32.max)) ?? 0),
      state: try writer.intern(line, .state), detail: try line.neededText(.detail),
      isFinal: line[.final] != .bool(false))
    findings.append(finding)
    said.append(HistoryImport.SaidFinding(record: finding, line: line.number))
  }

  mutating func take(checked line: TransferLine) throws {
    try begin()
    try flush()
    let checked = CheckedRecord(
      session: id, version: Int(try line.needed(.rules, in: 0...Int64(Int32.max))),
      through: try line.needed(.through), events: try line.needed(.events),
      lastTime: try line.needed(.lastUs), lost: try line.needed(.lost))
    try writer.store(findings: findings, checked: checked, anew: true)
    findings = []
  }
}
