import StatyRules

/// What the rules say of a run that a search has come upon.
struct Judgement {
  /// The rules that are meant and broken.
  var codes: Set<RuleCode> = []
  /// Whether any error is certain in it, meant or not.
  var isFaulty = false
}

/// How far a search has come.
struct SearchOutcome {
  /// An order that it was for.
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
  /// Whether several threads found it, so that another search may find another schedule as short.
  var isShared = false
  /// Whether it ended where a controller does what none may: what the rules know from there on is not
  /// all in a state.
  var isBeyond = false

  init(_ goal: SearchGoal) {
    self.goal = goal
  }

  /// Whether it has found what it was for.
  var isSatisfied: Bool { !found.isEmpty && (!goal.isForEach || goal.open.isEmpty) }

  /// The rules that it has found broken.
  var codes: Set<RuleCode> { found.reduce(into: []) { $0.formUnion($1.codes) } }

  /// Keeps an order if it breaks a rule that none before did.
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
