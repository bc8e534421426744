package import Staty
import StatyHistory

/// An ordering rule: which events it judges, and how.
///
/// A rule has no state of its own; the fold of the visits has what it needs to know.
protocol OrderingRule: SendableMetatype {
  static var code: RuleCode { get }

  /// The lowest fidelity of a recording that the rule can judge.
  static var needs: Fidelity { get }

  /// The kinds of events that the rule judges in a recording of this fidelity; by default none.
  static func kinds(_ fidelity: Fidelity) -> KindSet

  /// Judges an event.
  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found)

  /// Judges a visit that is open at the end of the session.
  static func judge(_ ending: borrowing VisitEnding, in end: EndContext, _ found: inout [Finding])
}

extension OrderingRule {
  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet() }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {}
  static func judge(_ ending: borrowing VisitEnding, in end: EndContext, _ found: inout [Finding]) {
  }

  /// Whether the rule can judge a recording of this fidelity.
  static func speaks(_ fidelity: Fidelity) -> Bool { fidelity.rawValue <= needs.rawValue }
}

/// The findings of the rules.
struct Found {
  var findings: [Finding] = []
  private var lately: [Finding] = []
  private static let most = 16

  /// Adds a finding, unless the same event broke the same rule recently, beside the same track.
  ///
  /// Several later events may show that an earlier event was wrong.
  mutating func report(_ finding: Finding) {
    let isKnown = lately.contains {
      $0.code == finding.code && $0.seq == finding.seq && $0.visit == finding.visit
        && $0.facts.otherController == finding.facts.otherController
    }
    if isKnown { return }
    if lately.count == Self.most { lately.removeFirst() }
    lately.append(finding)
    findings.append(finding)
  }
}

/// A set of event kinds.
struct KindSet {
  private var bits: UInt32 = 0

  init(_ kinds: EventKind...) {
    for kind in kinds { bits |= 1 << UInt32(kind.rawValue) }
  }

  func contains(_ kind: EventKind) -> Bool { bits & 1 << UInt32(kind.rawValue) != 0 }
}

extension RuleCode {
  /// The rules that cannot judge a recording of this fidelity, and the fidelity that each needs.
  package static func silent(_ fidelity: Fidelity) -> [(code: RuleCode, needs: Fidelity)] {
    RuleTable.rules.filter { !$0.speaks(fidelity) }.map { ($0.code, $0.needs) }
  }
}

/// Which rules judge which events.
struct RuleTable: Sendable {
  static let rules: [any (OrderingRule & SendableMetatype).Type] = [
    EnteredDiscarded.self, ExitBeforeEnter.self, Overlap.self, DoubleEnter.self, DoubleExit.self,
    NeverEntered.self, NeverArrived.self, NeverExited.self, OutOfOrder.self,
    UndeclaredTransition.self, StaleRequest.self, SlowEnter.self, SlowExit.self,
    ReentrantRequest.self, OverlappingHandling.self,
    DoublePush.self, NeverLeft.self,
  ]

  /// A bit for each rule that judges an event, by fidelity and kind.
  private let masks: [UInt32]
  private static let kinds = EventKind.allCases.count + 1

  /// The shared table.
  ///
  /// A search creates very many checkers, and the table is the same for all.
  static let shared = RuleTable()

  private init() {
    masks = Fidelity.allCases.flatMap { fidelity in
      (0..<Self.kinds).map { number in
        guard let kind = EventKind(rawValue: UInt8(number)) else { return 0 }
        return Self.rules.enumerated().reduce(0) { mask, rule in
          let isAsked = rule.element.speaks(fidelity) && rule.element.kinds(fidelity).contains(kind)
          return isAsked ? mask | 1 << UInt32(rule.offset) : mask
        }
      }
    }
  }

  /// Judges an event with the rules that want it.
  @inline(__always)
  func judge(
    _ change: borrowing VisitChange, _ kind: EventKind, in context: borrowing EventContext,
    _ found: inout Found
  ) {
    var mask = masks[Int(change.fidelity.rawValue - 1) * Self.kinds + Int(kind.rawValue)]
    while mask != 0 {
      Self.judge(mask.trailingZeroBitCount, change, in: context, &found)
      mask &= mask - 1
    }
  }

  // By number and not through the list, because a call through the list costs more than most rules
  // take. Rules that judge only the end are not called here.
  @inline(__always)
  private static func judge(
    _ place: Int, _ change: borrowing VisitChange, in context: borrowing EventContext,
    _ found: inout Found
  ) {
    switch place {
    case 0: EnteredDiscarded.judge(change, in: context, &found)
    case 1: ExitBeforeEnter.judge(change, in: context, &found)
    case 2: Overlap.judge(change, in: context, &found)
    case 3: DoubleEnter.judge(change, in: context, &found)
    case 4: DoubleExit.judge(change, in: context, &found)
    case 8: OutOfOrder.judge(change, in: context, &found)
    case 9: UndeclaredTransition.judge(change, in: context, &found)
    case 10: StaleRequest.judge(change, in: context, &found)
    case 11: SlowEnter.judge(change, in: context, &found)
    case 12: SlowExit.judge(change, in: context, &found)
    case 13: ReentrantRequest.judge(change, in: context, &found)
    case 14: OverlappingHandling.judge(change, in: context, &found)
    case 15: DoublePush.judge(change, in: context, &found)
    default: break
    }
  }
}
