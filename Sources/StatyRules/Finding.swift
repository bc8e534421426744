package import StatyHistory

/// A place in a history where an ordering rule is broken.
///
/// It contains numbers of the file; ``detail(naming:track:)`` makes a sentence from them.
public struct Finding: Hashable, Sendable {
  /// The broken rule.
  public let code: RuleCode
  /// The number of the event that breaks the rule.
  public let seq: Int64
  /// The number of the controller in the file.
  public let controller: Int32
  /// The visit of the event; 0 if it has none.
  public let visit: UInt32
  /// The number of the state's name; 0 if it is not known.
  public let state: Int32
  /// Further numbers for the sentence.
  var facts = Facts()
  /// The session; 0 if the checker does not know it.
  package internal(set) var session: Int64 = 0

  /// The other visit in the sentence; 0 if there is none.
  package var otherVisit: UInt32 { facts.other }
  /// The number of the name of the other visit's state; 0 if it is not known.
  package var otherState: Int32 { facts.otherState }
  /// The number of the other controller; 0 if there is none.
  package var otherController: Int32 { facts.otherController }

  /// The same finding without a duration.
  ///
  /// A searched order has no real times.
  package var forEver: Finding {
    guard code == .neverArrived || code == .neverExited || code == .neverLeft else { return self }
    var finding = self
    finding.facts.time = .max
    return finding
  }

  /// Whether another one breaks the same rule in the same way.
  package func happensLike(_ other: Finding) -> Bool {
    code == other.code && manner == other.manner
  }

  /// In which way the rule is broken: of a visit that never entered, what was shown meanwhile is evidence only.
  private var manner: UInt8 {
    if code == .neverEntered { return NeverEntered.isOfExits(facts.sentence) ? 1 : 0 }
    return facts.sentence
  }

  /// Whether it counts where a search, a verdict or a test names no rules.
  ///
  /// An answer behind a message of the user's may be right: a search compares how the orders end.
  package var isSought: Bool {
    code.isSought && severity != .note && late != .behindUser
  }

  /// How late an answer is.
  private var late: MessageRules.Late? {
    code == .lateAnswer ? MessageRules.Late(rawValue: facts.sentence) : nil
  }

  /// The severity: the rule's, but for what is only worth a look or was declared to be an error.
  public var severity: Severity {
    if code == .mirror, facts.sentence == MirrorWatch.isErrorSentence { return .error }
    if code == .neverEntered, facts.sentence == NeverEntered.noteSentence { return .note }
    return late.map { $0.isWarning ? .warning : .note } ?? code.severity
  }

  /// Numbers for the sentence of a rule.
  struct Facts: Hashable, Sendable {
    /// The other visit in the sentence, and its state.
    var other: UInt32 = 0
    var otherState: Int32 = 0
    /// A duration in microseconds, or the number of another event.
    var time: Int64 = 0
    /// The number of a third event, newer than the other.
    var newer: Int64 = 0
    /// The numbers of the names of two messages: a question, and a newer one.
    var asked: Int32 = 0
    var newerName: Int32 = 0
    /// The number of the other track.
    var otherController: Int32 = 0
    /// Which sentence of the rule is used.
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

extension Finding {
  /// A condition of an app's own that does not hold after an event.
  ///
  /// - Parameter name: the number of its name.
  package static func invariant(_ name: Int32, of controller: Int32, at seq: Int64) -> Finding {
    Finding(.invariant, seq: seq, controller: controller, visit: 0, state: name)
  }
}

extension Finding: Comparable {
  /// Whether one finding comes before another: by event, then by code, then by visits.
  public static func < (one: Finding, other: Finding) -> Bool {
    if one.session != other.session { return one.session < other.session }
    if one.seq != other.seq { return one.seq < other.seq }
    if one.code != other.code { return one.code.place < other.code.place }
    return (one.controller, one.visit, one.facts.other)
      < (other.controller, other.visit, other.facts.other)
  }
}

extension Finding {
  /// The finding in the form that the file stores.
  package func record(
    naming name: @escaping (Int32) -> String?, isFinal: Bool
  ) -> FindingRecord {
    FindingRecord(
      session: session, seq: seq, code: code.rawValue, severity: severity.rawValue,
      controller: controller, visit: visit, state: state, detail: detail(naming: name),
      isFinal: isFinal)
  }
}
