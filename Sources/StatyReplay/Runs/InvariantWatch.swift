import Staty

/// The conditions that did not hold once in a run, and the doubts about conditions.
struct InvariantWatch {
  private struct Condition: Hashable {
    let controller: Int32
    let name: String
  }

  /// What was noticed at one moment.
  struct Notice {
    /// The conditions that do not hold for the first time, each with its controller.
    var broken: [(name: StateName, controller: Int32)] = []
    /// The doubt about a condition that changes its model.
    var doubt: ReplayDoubt?
  }

  private var broken: Set<Condition> = []

  /// Looks at the conditions of controllers, each until it does not hold once.
  ///
  /// - Parameter count: the number of events so far, which a condition must not change.
  mutating func look(
    _ moment: ConditionMoment, of players: [Int32: any Player], count: () -> Int
  ) -> Notice {
    var notice = Notice()
    for (id, player) in players.sorted(by: { $0.key < $1.key }) {
      for invariant in player.invariants where invariant.moment == moment {
        let condition = Condition(controller: id, name: invariant.name)
        if broken.contains(condition) { continue }
        let (before, isSo) = (count(), invariant.holds())
        guard count() == before, invariant.holds() == isSo else {
          notice.doubt = .meddling(controller: id, condition: invariant.name)
          return notice
        }
        if isSo { continue }
        broken.insert(condition)
        notice.broken.append((StateName(invariant.name), id))
      }
    }
    return notice
  }
}
