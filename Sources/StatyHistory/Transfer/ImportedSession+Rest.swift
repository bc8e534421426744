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
}
