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
  static func judge(_ moment: borrowing Moment, _ found: inout Found)

  /// Judges a visit that is open at the end.
  static func judge(_ ending: borrowing Ending, _ found: inout [Finding])
}

extension OrderingRule {
  static func judge(_ moment: borrowing Moment, _ found: inout Found) {}
  static func judge(_ ending: borrowing Ending, _ found: inout [Finding]) {}

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

/// All rules, sorted by what they want to be asked about.
struct RuleTable: Sendable {
  typealias Judge = @Sendable (borrowing Moment, inout Found) -> Void

  static let shared = RuleTable()

  static let rules: [any (OrderingRule & SendableMetatype).Type] = [
    ExitBeforeEnter.self, Overlap.self, DoubleEnter.self, DoubleExit.self, NeverEntered.self,
    NeverArrived.self, NeverExited.self, OutOfOrder.self, UndeclaredTransition.self,
    StaleRequest.self, SlowExit.self, ReentrantRequest.self, OverlappingHandling.self,
  ]

  /// Those to be asked about an event, by the place of its fidelity and kind.
  private let judges: [[Judge]]

  private init() {
    judges = Fidelity.allCases.flatMap { fidelity in
      (0...EventKind.allCases.count).map { number in
        guard let kind = EventKind(rawValue: UInt8(number)) else { return [] }
        return Self.rules.compactMap { $0.judge(of: kind, fidelity) }
      }
    }
  }

  func judges(of kind: EventKind, _ fidelity: Fidelity) -> [Judge] {
    judges[Int(fidelity.rawValue - 1) * (EventKind.allCases.count + 1) + Int(kind.rawValue)]
  }
}

extension OrderingRule {
  fileprivate static func judge(of kind: EventKind, _ fidelity: Fidelity) -> RuleTable.Judge? {
    guard speaks(fidelity), kinds(fidelity).contains(kind) else { return nil }
    return { Self.judge($0, &$1) }
  }
}
