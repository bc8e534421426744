import StatyRules

/// What a search for broken rules has found so far.
struct SearchResult {
  /// An order that the search is for.
  struct Found {
    var schedule: Schedule
    var isAtEnd: Bool
    /// The rules that no shorter one breaks.
    var codes: Set<RuleCode>
  }

  private(set) var goal: SearchGoal
  var found: [Found] = []
  var states = 0
  var transitions = 0
  var pruned = 0
  var depth = 0
  var bytes = 0
  var cut: Exploration.Cut?
  var doubts: [ReplayDoubt] = []
  /// The controllers that decided something in a run.
  var deciding: Set<Int32> = []
  /// Whether several threads found it, so that another search may find another schedule of the same
  /// length.
  var isShared = false
  /// Whether the search ended at a bug of the controller: behind it, a state does not hold
  /// everything that the rules know.
  var isBeyond = false

  init(_ goal: SearchGoal) {
    self.goal = goal
  }

  /// Whether it has found what it was for.
  var isSatisfied: Bool { !found.isEmpty && (!goal.isForEach || goal.open.isEmpty) }

  /// The rules that it has found broken.
  var codes: Set<RuleCode> { found.reduce(into: []) { $0.formUnion($1.codes) } }

  /// Keeps an order if it breaks a rule that no earlier order breaks.
  ///
  /// - Returns: whether the search has found what it was for.
  mutating func note(
    _ codes: Set<RuleCode>, in schedule: @autoclosure () -> Schedule, isAtEnd: Bool
  ) -> Bool {
    let new = codes.intersection(goal.open)
    if new.isEmpty { return false }
    goal.open.subtract(new)
    found.append(Found(schedule: schedule(), isAtEnd: isAtEnd, codes: new))
    return isSatisfied
  }
}
