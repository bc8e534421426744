package import StatyHistory
import StatyRules

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
    guard let edition = session.edition else {
      self =
        try reader.findings(session: session.id).isEmpty
        ? .none : .contradicted("There are findings, although no rule was asked.")
      return
    }
    guard edition == OrderingRules.edition else {
      self = .unfinished
      return
    }
    guard session.judgedTime == session.endTime else {
      self =
        session.ended == .open
        ? .unfinished
        : .contradicted("It says that it was checked up to another time than its end.")
      return
    }
    let names = try reader.names()
    let computed = Set(
      (result.findings + result.notes).map { $0.record(naming: { names[$0] }, isFinal: true) })
    // Whether later events could have changed a finding does not matter any more.
    var stored: Set<FindingRecord> = []
    for var finding in try reader.findings(session: session.id) {
      finding.isFinal = true
      if !stored.insert(finding).inserted {
        self = .contradicted("It says twice that event \(finding.seq) breaks \(finding.code).")
        return
      }
    }
    if let missing = computed.subtracting(stored).map({ ($0.seq, $0.code) }).min(by: <) {
      self = .contradicted("It does not say that event \(missing.0) breaks \(missing.1).")
    } else if let added = stored.subtracting(computed).map(\.seq).min() {
      self = .contradicted("It says that event \(added) breaks a rule, and it does not.")
    } else {
      self = .equal
    }
  }
}
