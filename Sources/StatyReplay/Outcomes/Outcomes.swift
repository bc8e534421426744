public import StatyRules

/// The outcomes that the same input can have, as far as a search has found them.
public struct Outcomes: Sendable {
  /// An order that breaks a rule, told by its deviations.
  public struct Fault: Sendable {
    /// The rules that no order with fewer deviations was found to break.
    public internal(set) var codes: Set<RuleCode>
    /// What is otherwise than usual; `nil` for the recorded order.
    public internal(set) var deviations: [Deviation]?
    /// Its steps.
    public internal(set) var schedule: Schedule
    /// Whether the rule is broken only if nothing more happens.
    public internal(set) var isAtEnd: Bool
    /// What is found in it.
    public internal(set) var findings: [Finding]
  }

  /// The scenario that was searched: of independent controllers, one group.
  public internal(set) var scenario: Scenario
  /// The outcomes, the usual one first, then those with fewer deviations.
  public internal(set) var outcomes: [Outcome] = []
  /// The orders in which a rule is broken.
  public internal(set) var faults: [Fault] = []
  /// How many orders were run.
  public internal(set) var runs = 0
  /// All orders with so many deviations were run; -1 if not even the usual one was.
  public internal(set) var complete = -1
  /// Whether all orders were run.
  public internal(set) var isExhaustive = false
  /// What prevents a verdict.
  public internal(set) var doubts: [ReplayDoubt] = []
  /// The tracks of which only the names of values were compared.
  public internal(set) var namesOnly: Set<Int32> = []
  /// The controllers that decided something in an order that was run.
  var deciding: Set<Int32> = []

  /// Whether at least every order with one deviation was run.
  var isSufficient: Bool { isExhaustive || complete >= 1 }

  /// Names the outcomes, and says which are allowed.
  ///
  /// - Parameters:
  ///   - allowed: the texts of the allowed ones; `nil` if nobody has judged yet.
  ///   - isOnly: whether there are no other controllers.
  mutating func name(_ allowed: [String]?, isOnly: Bool) {
    for (place, text) in OutcomeWords.fullTexts(self, isOnly: isOnly).enumerated() {
      outcomes[place].text = text
      // A value that has no name of its own cannot be told from another one the next time.
      let isNamed = !text.contains(" (value ")
      outcomes[place].isAllowed = allowed.map { $0.contains(text) && isNamed } ?? true
    }
  }

  /// Whether the input can end in several ways.
  public var isDifferent: Bool { outcomes.count > 1 }
}
