import Staty

/// Who asks is not over yet.
enum StaleRequest: OrderingRule {
  static let code = RuleCode.staleRequest
  static let needs = Fidelity.threeKind

  static func kinds(_ fidelity: Fidelity) -> KindSet { KindSet(.enqueued) }

  static func judge(_ moment: borrowing Moment, _ found: inout Found) {
    guard moment.goneOrigin != 0 else { return }
    found.report(moment.finding(code, .init(other: moment.goneOrigin)))
  }
}
