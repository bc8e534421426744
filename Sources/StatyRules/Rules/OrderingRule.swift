import Staty
import StatyHistory

/// One ordering rule: what it wants to be asked about, and how it judges.
///
/// A rule keeps nothing; what it has to know the model knows.
protocol OrderingRule: SendableMetatype {
  static var code: RuleCode { get }

  /// The least that a recording must tell for the rule to say anything.
  static var needs: Fidelity { get }

  /// The kinds of event that it wants to judge in a recording of this fidelity.
  static func kinds(_ fidelity: Fidelity) -> KindSet

  /// Judges an event.
  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found)

  /// Judges a visit that is open at the end.
  static func judge(_ ending: borrowing VisitEnding, in end: EndContext, _ found: inout [Finding])
}

extension OrderingRule {
  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {}
  static func judge(_ ending: borrowing VisitEnding, in end: EndContext, _ found: inout [Finding]) {
  }

  /// Whether the rule says anything about a recording of this fidelity.
  static func speaks(_ fidelity: Fidelity) -> Bool { fidelity.rawValue <= needs.rawValue }
}

/// What rules have found in events.
struct Found {
  var findings: [Finding] = []
  private var lately: [Finding] = []
  private static let most = 16

  /// Takes a finding in, unless the same event was named for the same lately.
  ///
  /// What makes an earlier event guilty may show several times.
  mutating func report(_ finding: Finding) {
    let isKnown = lately.contains {
      $0.code == finding.code && $0.seq == finding.seq && $0.visit == finding.visit
    }
    if isKnown { return }
    if lately.count == Self.most { lately.removeFirst() }
    lately.append(finding)
    findings.append(finding)
  }
}

/// Some kinds of event.
struct KindSet {
  private var bits: UInt32 = 0

  init(_ kinds: EventKind...) {
    for kind in kinds { bits |= 1 << UInt32(kind.rawValue) }
  }

  func contains(_ kind: EventKind) -> Bool { bits & 1 << UInt32(kind.rawValue) != 0 }
}

/// Which rules want to be asked about which events.
struct RuleTable: Sendable {
  static let rules: [any (OrderingRule & SendableMetatype).Type] = [
    EnteredDiscarded.self, ExitBeforeEnter.self, Overlap.self, DoubleEnter.self, DoubleExit.self,
    NeverEntered.self, NeverArrived.self, NeverExited.self, OutOfOrder.self,
    UndeclaredTransition.self, StaleRequest.self, SlowEnter.self, SlowExit.self,
    ReentrantRequest.self, OverlappingHandling.self,
    StaleAnswer.self, DoublePush.self,
  ]

  /// A bit for each rule that is to be asked, by the place of the fidelity and the kind.
  private let masks: [UInt32]
  private static let kinds = EventKind.allCases.count + 1

  /// The one that everybody asks: it is the same for all, and a search begins very many checkers.
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

  /// Asks those rules that want it about an event.
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

  // By number and not through the list: finding a rule there costs more than most take to judge.
  // Those that judge only the end are never asked here.
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
    case 15: StaleAnswer.judge(change, in: context, &found)
    case 16: DoublePush.judge(change, in: context, &found)
    default: break
    }
  }
}
