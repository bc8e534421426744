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
        try reader.findings(session: session.id, last: 1).isEmpty
        ? .none : .contradicted("There are findings, although no rule was asked.")
      return
    }
    guard edition == RuleJudge.edition else {
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
    // Two may say the same: a track can differ from each of two mirrors.
    var missing: [FindingRecord: Int] = [:]
    for finding in result.findings + result.notes {
      missing[finding.record(naming: { names[$0] }, isFinal: true), default: 0] += 1
    }
    // A file can have any number of stored findings, so none is kept that was not computed.
    var (twice, added): (FindingRecord?, FindingRecord?)
    try reader.forEachFinding(session: session.id) { finding in
      var finding = finding
      // Whether later events could have changed it does not matter any more.
      finding.isFinal = true
      guard let left = missing[finding] else { return added = added ?? finding }
      if left == 0 { twice = twice ?? finding } else { missing[finding] = left - 1 }
    }
    let lacking = missing.filter { $0.value > 0 }.keys
    if let twice {
      self = .contradicted("It says twice that event \(twice.seq) breaks \(twice.code).")
    } else if let first = lacking.map({ ($0.seq, $0.code) }).min(by: <) {
      self = .contradicted("It does not say that event \(first.0) breaks \(first.1).")
    } else if let added {
      self = .contradicted("It says that event \(added.seq) breaks a rule, and it does not.")
    } else {
      self = .equal
    }
  }
}
