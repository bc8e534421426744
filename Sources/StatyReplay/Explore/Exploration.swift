public import StatyRules

/// The result of exploring a scenario.
public struct Exploration: Sendable {
  /// The result in a word.
  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// No order that was run breaks a rule, and all end in the same way, or in those that are allowed.
    case same
    /// No order that was run breaks a rule, and they end in several ways, of which nobody has said
    /// yet that they are right.
    case differs
    /// Some order breaks a rule or ends in a way that is not allowed, and nothing is in doubt.
    case broken
    /// The result is in doubt, nothing was judged, all orders look the same by names alone, or the time
    /// was over before every order with one deviation from the usual one was run.
    case inconclusive
  }

  /// Why a search ended early.
  public enum Cut: String, Hashable, Sendable, CaseIterable {
    /// Some schedules have more steps than the limit.
    case steps
    /// The limit of runs was reached.
    case runs
    /// The limit of states was reached.
    case states
    /// The limit of memory was reached.
    case memory
    /// The time was up.
    case time
  }

  /// How the orders were searched.
  package enum Method: String, Hashable, Sendable, CaseIterable {
    /// The controller is a policy: each of its states is searched once.
    case states
    /// The controllers are run from the beginning for each order.
    case runs
  }

  /// An order that breaks a rule.
  public struct Order: Sendable {
    /// The scenario that was searched.
    ///
    /// Of independent controllers it holds one group.
    public internal(set) var scenario: Scenario
    /// Its steps.
    public internal(set) var schedule: Schedule
    /// Whether the rule is broken only if nothing more happens.
    public internal(set) var isAtEnd: Bool
    /// What is otherwise than usual; `nil` for the recorded order, and for one that was found step by
    /// step.
    public internal(set) var deviations: [Deviation]?
    /// The rules that no shorter order breaks.
    public internal(set) var codes: Set<RuleCode>
    /// The findings in this order, the earliest first; their numbers are those of a run of the
    /// schedule.
    public internal(set) var findings: [Finding]
  }

  /// How it was searched.
  package var method: Method
  /// The scenario that was searched.
  ///
  /// Of independent controllers it holds those of ``schedule``.
  public internal(set) var scenario: Scenario
  /// The outcomes that the input can have, for each independent group of controllers.
  public internal(set) var outcomes: [Outcomes] = []
  /// Whether it was said which outcomes are right.
  private var isAllowing = false
  /// The searches of independent groups of controllers, if there were several.
  package var parts: [Exploration] = []
  /// The orders that were found, the shortest first: one, or one for each rule if the options ask
  /// for that.
  public internal(set) var orders: [Order] = []
  /// Why the search ended early; `nil` if it searched everything or found what it searched for.
  public internal(set) var cut: Cut?
  /// What prevents a verdict.
  public internal(set) var doubts: [ReplayDoubt] = []
  /// The number of different states that were seen, or of beginnings of schedules that were run.
  public internal(set) var states = 0
  /// The number of steps that were taken from one state to the next, or of runs.
  public internal(set) var transitions = 0
  /// The number of runs that skipped an order because it is equivalent to another.
  package var pruned = 0
  /// The number of steps of the longest schedule that was searched.
  public internal(set) var depth = 0
  /// The most bytes that the search held.
  public internal(set) var bytes = 0
  /// How many of the orders only the search for outcomes has found.
  private var ordersOfOutcomes = 0
  /// Whether it ended because it found what it searched for.
  var isSatisfied = false
  /// The controllers that decided something in an order that was run.
  var deciding: Set<Int32> = []

  /// The verdict.
  public var verdict: Verdict {
    if !doubts.isEmpty { return .inconclusive }
    if !orders.isEmpty || !disallowed.isEmpty { return .broken }
    if isEmpty || outcomes.isEmpty || isOpen || isIdle { return .inconclusive }
    if !isAllowing, outcomes.contains(where: \.isDifferent) { return .differs }
    return outcomes.contains(where: \.isByName) ? .inconclusive : .same
  }

  /// Whether all that is in doubt are values beyond their names, which could not be compared.
  package var isByName: Bool {
    verdict == .inconclusive && doubts.isEmpty && !isEmpty && !outcomes.isEmpty && !isOpen
      && !isIdle
  }

  /// Whether nothing was decided in any order that was run, and nothing is shown.
  package var isIdle: Bool {
    deciding.isEmpty && !outcomes.isEmpty
      && outcomes.allSatisfy { $0.outcomes.allSatisfy { $0.screens.allSatisfy(\.isEmpty) } }
  }

  /// Whether not even every order with one deviation was run, so that it is not known how else the
  /// input can end.
  package var isOpen: Bool { !outcomes.allSatisfy(\.isSufficient) }

  /// The outcomes that are not among the allowed ones.
  public var disallowed: [Outcome] { outcomes.flatMap(\.outcomes).filter { !$0.isAllowed } }

  /// Whether every order was searched for a broken rule, something was judged, and none was found.
  package var isClean: Bool { isComplete && !isEmpty && orders.isEmpty }

  /// A shortest schedule that breaks a rule; `nil` if none was found.
  public var schedule: Schedule? { orders.first?.schedule }
  /// The findings in that schedule, the earliest first; their numbers are those of a run of it.
  public var findings: [Finding] { orders.first?.findings ?? [] }
  /// Whether that schedule breaks the rule only if nothing more happens.
  public var isAtEnd: Bool { orders.first?.isAtEnd ?? false }

  /// Whether nothing can happen in the scenario, because it makes no request.
  public var isEmpty: Bool { isComplete && depth == 0 && orders.isEmpty }

  /// Whether every order was searched.
  public var isComplete: Bool { cut == nil && doubts.isEmpty && !isSatisfied }

  /// Whether it is known that no order with fewer steps than ``schedule`` breaks a rule.
  public var isShortest: Bool {
    guard let steps = schedule?.count, doubts.isEmpty else { return false }
    // An independent part may have been cut before it reached this length. What a search for outcomes finds
    // need not be short.
    return (parts.isEmpty ? [self] : parts).allSatisfy { part in
      part.orders.count > part.ordersOfOutcomes || part.cut == nil
        || part.cut == .steps && part.depth >= steps - 1
    }
  }

  init(_ method: Method, of scenario: Scenario) {
    self.method = method
    self.scenario = scenario
  }
}

extension Exploration {
  /// Joins the results of independent groups of controllers: their orders, the shortest first, and
  /// the sum of the rest.
  ///
  /// - Parameter isForEach: whether the search is for one order for each rule.
  init(_ parts: [Exploration], of scenario: Scenario, isForEach: Bool) {
    var orders: [Order] = []
    var known: Set<RuleCode> = []
    for part in parts { orders += part.orders }
    // Of equal lengths the first comes first: sorting need not keep their order.
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
    deciding = parts.reduce(into: []) { $0.formUnion($1.deciding) }
    states = parts.reduce(0) { $0 + $1.states }
    transitions = parts.reduce(0) { $0 + $1.transitions }
    pruned = parts.reduce(0) { $0 + $1.pruned }
    bytes = parts.map(\.bytes).max() ?? 0
    depth = parts.map(\.depth).max() ?? 0
  }
}

extension Exploration {
  /// Judges the outcomes anew.
  ///
  /// - Parameter texts: the texts of those that are right.
  package mutating func allow(_ texts: [String]) {
    isAllowing = true
    let isOnly = outcomes.count == 1
    for place in outcomes.indices { outcomes[place].name(texts, isOnly: isOnly) }
  }

  /// Leaves out what is known of values beyond their names, for output that is given to others.
  package mutating func hideValues() {
    let isOnly = outcomes.count == 1
    for place in outcomes.indices { outcomes[place].hideValues(isOnly: isOnly) }
  }

  /// Adds what a search for outcomes has found: also the orders that break rules that no order of
  /// the search for broken rules was found to break.
  mutating func take(_ outcomes: [Outcomes], isAllowing: Bool, isForEachRule: Bool) {
    self.outcomes = outcomes
    self.isAllowing = isAllowing
    for one in outcomes {
      doubts.note(one.doubts)
      deciding.formUnion(one.deciding)
      for var order in one.broken where isForEachRule || orders.isEmpty {
        for known in orders { order.codes.subtract(known.codes) }
        if order.codes.isEmpty { continue }
        orders.append(order)
        ordersOfOutcomes += 1
      }
    }
  }
}
