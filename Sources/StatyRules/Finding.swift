import StatyHistory

/// A place in a history where an ordering rule is broken.
///
/// It holds numbers of the file; ``detail(naming:)`` makes a sentence of them.
public struct Finding: Hashable, Sendable {
  /// The rule.
  public let code: RuleCode
  /// The number of the guilty event.
  public let seq: Int64
  /// The number of the controller in the file.
  public let controller: Int32
  /// The guilty event's visit; 0 if it has none.
  public let visit: UInt32
  /// The number of the name of the visit's state; 0 if it is not known.
  public let state: Int32
  /// What the sentence needs beyond that.
  var facts = Facts()
  /// The session, as far as it is known to the checker that found it.
  package internal(set) var session: Int64 = 0

  /// Another visit that its sentence speaks of; 0 if it speaks of none.
  package var otherVisit: UInt32 { facts.other }
  /// The number of the name of that visit's state; 0 if it is not known.
  package var otherState: Int32 { facts.otherState }

  /// The same where nobody measured how long it took: what was thought out has no end in time.
  package var forEver: Finding {
    guard code == .neverArrived || code == .neverExited else { return self }
    var finding = self
    finding.facts.time = .max
    return finding
  }

  /// How bad it is.
  public var severity: Severity { code.severity }

  /// The numbers that a rule puts into its sentence.
  struct Facts: Hashable, Sendable {
    /// Another visit that has to do with it, and its state.
    var other: UInt32 = 0
    var otherState: Int32 = 0
    /// How long something took, in microseconds.
    var time: Int64 = 0
    /// Which of the rule's sentences says it.
    var sentence: UInt8 = 0
  }

  init(
    _ code: RuleCode, seq: Int64, controller: Int32, visit: UInt32, state: Int32,
    _ facts: Facts = Facts()
  ) {
    self.code = code
    self.seq = seq
    self.controller = controller
    self.visit = visit
    self.state = state
    self.facts = facts
  }
}

extension Finding: Comparable {
  /// Whether one stands before another in lists: by guilty event, then code, then visits.
  public static func < (one: Finding, other: Finding) -> Bool {
    if one.session != other.session { return one.session < other.session }
    if one.seq != other.seq { return one.seq < other.seq }
    if one.code != other.code { return one.code.place < other.code.place }
    return (one.controller, one.visit, one.facts.other)
      < (other.controller, other.visit, other.facts.other)
  }
}

extension Finding {
  /// The finding as the file has it.
  func record(
    naming name: @escaping (Int32) -> String?, isFinal: Bool
  ) -> FindingRecord {
    FindingRecord(
      session: session, seq: seq, code: code.rawValue, severity: severity.rawValue,
      controller: controller, visit: visit, state: state, detail: detail(naming: name),
      isFinal: isFinal)
  }
}
