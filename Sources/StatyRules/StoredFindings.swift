package import StatyHistory

/// The result of comparing a history's stored findings with computed ones.
package enum StoredFindings: Hashable, Sendable {
  /// The session was not checked while it was recorded.
  case none
  /// It was checked, but not to its end, or with another version of the rules, so there is nothing
  /// to compare.
  case unfinished
  /// The stored findings are equal to the computed ones.
  case equal
  /// They differ, as the sentence says: the findings or the events were changed.
  case contradicted(String)

  /// Compares the stored findings of a session with the result of a check.
  package init(_ result: HistoryCheck.Result, in reader: HistoryReader) throws {
    let session = try reader.session(result.session)
    guard let rules = session.rules else {
      self =
        try reader.findings(session: session.id).isEmpty
        ? .none : .contradicted("There are findings, although no rule was asked.")
      return
    }
    guard rules == OrderingRules.version, session.judgedTime == session.lastTime else {
      self = .unfinished
      return
    }
    let names = try reader.names()
    let computed = Set(
      result.findings.map { Line($0.record(naming: { names[$0] }, isFinal: true)) })
    let stored = Set(try reader.findings(session: session.id).map(Line.init))
    self = Self.compare(stored: stored, computed: computed)
  }

  private static func compare(stored: Set<Line>, computed: Set<Line>) -> Self {
    if let missing = computed.subtracting(stored).min() {
      return .contradicted("It does not say that event \(missing.seq) breaks \(missing.code).")
    }
    if let added = stored.subtracting(computed).min() {
      return .contradicted("It says that event \(added.seq) breaks a rule, and it does not.")
    }
    return .equal
  }
}

/// The parts of a finding that are compared.
private struct Line: Hashable, Comparable {
  let seq: Int64
  let code: String
  let severity: String
  let controller: Int32
  let visit: UInt32
  let state: Int32
  let detail: String

  init(_ record: FindingRecord) {
    seq = record.seq
    code = record.code
    severity = record.severity
    controller = record.controller
    visit = record.visit
    state = record.state
    detail = record.detail
  }

  static func < (one: Line, other: Line) -> Bool {
    (one.seq, one.code, one.detail) < (other.seq, other.code, other.detail)
  }
}
