public import StatyRules

/// What came of exploring a scenario.
public struct Exploration: Sendable {
  /// In a word.
  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// Every order was gone through, and no rule is broken in any.
    case passed
    /// In some order a rule is broken.
    case broken
    /// No rule was found to be broken, but not every order was gone through, or nothing can happen at
    /// all, or it cannot be said.
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
    /// As much memory was needed as was wanted.
    case memory
    /// The time was over.
    case time
  }

  /// How the orders were gone through.
  package enum Method: String, Hashable, Sendable, CaseIterable {
    /// The controller is a policy: state by state, each one once.
    case states
    /// By running from the beginning again and again.
    case runs
  }

  /// An order in which a rule is broken.
  public struct Order: Sendable {
    /// What was searched: of controllers that have nothing to do with each other, one.
    public internal(set) var scenario: Scenario
    /// Its steps.
    public internal(set) var schedule: Schedule
    /// Whether a rule is broken only when nothing more comes.
    public internal(set) var isAtEnd: Bool
    /// The rules that no order with fewer steps breaks.
    public internal(set) var codes: Set<RuleCode>
    /// What breaks in it, the first first; its numbers are those of a run of the schedule.
    public internal(set) var violations: [Finding]
  }

  /// How it was searched.
  package var method: Method
  /// What was searched: of controllers that have nothing to do with each other, those of ``schedule``.
  public internal(set) var scenario: Scenario
  /// The searches of controllers that have nothing to do with each other, if there were several.
  package var parts: [Exploration] = []
  /// The orders that were found, the shortest first: one, or if that was wanted, one for each rule.
  public internal(set) var orders: [Order] = []
  /// Why the search was cut; `nil` if it came to its end, or to what it was for.
  public internal(set) var cut: Cut?
  /// What stands in the way of a verdict.
  public internal(set) var doubts: [ReplayDoubt] = []
  /// How many different states were seen, or how many beginnings of schedules were run.
  public internal(set) var states = 0
  /// How many steps were taken from one state to the next, or how many runs were made.
  public internal(set) var transitions = 0
  /// How many runs left an order out because it comes to the same as another.
  package var pruned = 0
  /// How many steps the longest schedule has that was looked at.
  public internal(set) var depth = 0
  /// How many bytes the search held at most, to know what it had seen and where it went on.
  public internal(set) var bytes = 0
  /// Whether it ended because it had found what it was for.
  var isSatisfied = false

  /// The verdict.
  public var verdict: Verdict {
    if !orders.isEmpty { return .broken }
    return isComplete && !isEmpty ? .passed : .inconclusive
  }

  /// A shortest schedule that breaks a rule; `nil` if none was found.
  public var schedule: Schedule? { orders.first?.schedule }
  /// What breaks in it, the first first; its numbers are those of a run of the schedule.
  public var violations: [Finding] { orders.first?.violations ?? [] }
  /// Whether that shows only when nothing more comes.
  public var isAtEnd: Bool { orders.first?.isAtEnd ?? false }

  /// Whether nothing can happen in what was searched, because nobody asks for anything.
  public var isEmpty: Bool { isComplete && depth == 0 && orders.isEmpty }

  /// Whether every order was gone through.
  public var isComplete: Bool { cut == nil && doubts.isEmpty && !isSatisfied }

  /// Whether it is known that no order with fewer steps than ``schedule`` breaks a rule.
  public var isShortest: Bool {
    guard let steps = schedule?.count, doubts.isEmpty else { return false }
    // What has nothing to do with it may have been cut before it came as far.
    return parts.allSatisfy { part in
      !part.orders.isEmpty || part.cut == nil || part.cut == .steps && part.depth >= steps - 1
    }
  }

  init(_ method: Method, of scenario: Scenario) {
    self.method = method
    self.scenario = scenario
  }
}

extension Exploration {
  /// What searches come to of controllers that have nothing to do with each other: their orders, the
  /// shortest first, and the sum of the rest.
  ///
  /// - Parameter isForEach: whether an order is wanted for each rule.
  init(_ parts: [Exploration], of scenario: Scenario, isForEach: Bool) {
    var orders: [Order] = []
    var known: Set<RuleCode> = []
    for part in parts { orders += part.orders }
    // Of those that are as long the first: sorting need not keep their order.
    let sorted = orders.enumerated().sorted {
      ($0.element.schedule.count, $0.offset) < ($1.element.schedule.count, $1.offset)
    }
    orders = []
    for var order in sorted.map(\.element) where isForEach || orders.isEmpty {
      order.codes.subtract(known)
      if order.codes.isEmpty { continue }
      known.formUnion(order.codes)
      orders.append(order)
    }
    self.init(
      parts.contains { $0.method == .runs } ? .runs : .states,
      of: orders.first?.scenario ?? scenario)
    self.parts = parts
    self.orders = orders
    isSatisfied = parts.contains(where: \.isSatisfied)
    cut = parts.lazy.compactMap(\.cut).first
    doubts = parts.flatMap(\.doubts)
    states = parts.reduce(0) { $0 + $1.states }
    transitions = parts.reduce(0) { $0 + $1.transitions }
    pruned = parts.reduce(0) { $0 + $1.pruned }
    bytes = parts.map(\.bytes).max() ?? 0
    depth = parts.map(\.depth).max() ?? 0
  }
}
