import Staty
import StatyHistory

/// An element is not pushed directly above an equal one, as after a double tap.
///
/// Where each push makes a new element, as with view controllers, one of the same name counts that has
/// just come. Two that are pushed in the handling of one message were meant, as by a link that leads deep into
/// an app; so were two that are pushed at once.
enum DoublePush: OrderingRule {
  static let code = RuleCode.doublePush
  static let needs = Fidelity.threeKind

  /// How far apart the pushes of one change are, in microseconds.
  private static let atOnce = 1_000

  static func kinds(_ fidelity: Fidelity) -> KindSet {
    fidelity == .threeKind ? KindSet(.moved, .entered) : KindSet(.moved, .entering)
  }

  static func judge(
    _ change: borrowing VisitChange, in context: borrowing EventContext, _ found: inout Found
  ) {
    guard let below = change.below else { return }
    let row = change.row
    let limit = context.doublePush
    let isAtOnce =
      context.lastInput < below.came.seq && row.time &- below.came.time < Self.atOnce
    let isMeant = isAtOnce || below.inside != 0 && below.inside == row.inside
    let isDoubled =
      row.state == below.state && row.state != 0 && !isMeant
      && (below.isEntering || row.time &- below.came.time < limit)
    guard below.isSame || isDoubled else { return }
    found.report(
      change.finding(
        code,
        .init(other: below.visit, otherState: row.state, sentence: below.isSame ? 0 : 1)))
  }
}
