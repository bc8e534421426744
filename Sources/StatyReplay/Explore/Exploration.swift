public import StatyRules

/// What came of exploring a scenario.
public struct Exploration: Sendable {
  /// In a word.
  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// Every order was gone through, and no rule is broken in any.
    case passed
    /// In some order a rule is broken.
    case broken
    /// No rule was found to be broken, but not every order was gone through, or it cannot be said.
    case inconclusive
  }

  /// Why a search did not go on to its end.
  public enum Cut: String, Hashable, Sendable, CaseIterable {
    /// There are schedules of more steps than were wanted.
    case steps
    /// So many runs were made as were wanted.
    case runs
    /// So many states were seen as were wanted.
    case states
    /// The time was over.
    case time
  }

  /// How the orders were gone through.
  public enum Method: String, Hashable, Sendable, CaseIterable {
    /// The controller is a policy: state by state, each one once.
    case states
    /// By running from the beginning again and again.
    case runs
  }

  /// How it was searched.
  public var method: Method
  /// What was searched: of controllers that have nothing to do with each other, those of ``schedule``.
  public var scenario: Scenario
  /// The searches of controllers that have nothing to do with each other, if there were several.
  public var parts: [Exploration] = []
  /// A shortest schedule that breaks a rule; `nil` if none was found.
  public var schedule: Schedule?
  /// What breaks in it, the first first; its numbers are those of a run of the schedule.
  public var violations: [Finding] = []
  /// Whether that shows only when nothing more comes.
  public var isAtEnd = false
  /// Why the search was cut; `nil` if it came to its end.
  public var cut: Cut?
  /// What stands in the way of a verdict.
  public var doubts: [ReplayResult.Doubt] = []
  /// How many different states were seen, or how many beginnings of schedules were run.
  public var states = 0
  /// How many steps were taken from one state to the next, or how many runs were made.
  public var transitions = 0
  /// How many runs left an order out because it comes to the same as another.
  public var pruned = 0
  /// How many steps the longest schedule has that was looked at.
  public var depth = 0
  /// How many bytes the search needed to know what it had seen.
  public var bytes = 0

  /// The verdict.
  public var verdict: Verdict {
    if schedule != nil { return .broken }
    return cut == nil && doubts.isEmpty ? .passed : .inconclusive
  }

  init(_ method: Method, of scenario: Scenario) {
    self.method = method
    self.scenario = scenario
  }
}

extension Exploration {
  /// What searches come to of controllers that have nothing to do with each other: the shortest
  /// schedule of all, and the sum of the rest.
  init(_ parts: [Exploration], of scenario: Scenario) {
    let broken = parts.filter { $0.schedule != nil }
    let shortest = broken.min { ($0.schedule?.count ?? 0) < ($1.schedule?.count ?? 0) }
    self = shortest ?? Exploration(.states, of: scenario)
    self.parts = parts
    method = parts.contains { $0.method == .runs } ? .runs : .states
    cut = parts.lazy.compactMap(\.cut).first
    doubts = parts.flatMap(\.doubts)
    states = parts.reduce(0) { $0 + $1.states }
    transitions = parts.reduce(0) { $0 + $1.transitions }
    pruned = parts.reduce(0) { $0 + $1.pruned }
    bytes = parts.map(\.bytes).max() ?? 0
    depth = parts.map(\.depth).max() ?? 0
  }
}

/// How far a search may go.
struct SearchLimits {
  var steps: Int
  var runs: Int
  var states: Int
  var deadline: ContinuousClock.Instant?
  var progress: (SearchOutcome) -> Void

  /// The limit that is reached, if one is.
  func reached(_ outcome: SearchOutcome) -> Exploration.Cut? {
    progress(outcome)
    if outcome.states >= states { return .states }
    if let deadline, ContinuousClock.now >= deadline { return .time }
    return nil
  }
}

/// How far a search has come.
struct SearchOutcome {
  var states = 0
  var transitions = 0
  var pruned = 0
  var depth = 0
  var bytes = 0
  var schedule: Schedule?
  var isAtEnd = false
  var cut: Exploration.Cut?
  var doubts: [ReplayResult.Doubt] = []
  /// Whether several threads found it, so that another search may find another schedule as short.
  var isShared = false
}
