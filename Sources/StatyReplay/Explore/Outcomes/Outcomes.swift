/// The outcomes that the same input can have, as far as a search has found them.
public struct Outcomes: Sendable {
  /// The scenario that was searched: of independent controllers, one group.
  public internal(set) var scenario: Scenario
  /// The outcomes, the usual one first, then those with fewer deviations.
  public internal(set) var outcomes: [Outcome] = []
  /// The orders in which a rule is broken, each with the rules that none before it breaks.
  public internal(set) var broken: [Exploration.Order] = []
  /// How many different orders were run.
  public internal(set) var orders = 0
  /// How many runs that took: several may have the same order.
  public internal(set) var runs = 0
  /// All orders with so many deviations were run; -1 if not even the usual one was.
  public internal(set) var complete = -1
  /// Whether all orders were run.
  public internal(set) var isExhaustive = false
  /// What prevents a verdict.
  public internal(set) var doubts: [ReplayDoubt] = []
  /// The tracks of which only the names of values were compared, and the controllers that show different
  /// states of one name.
  public internal(set) var namesOnly: Set<Int32> = []
  /// The tracks among them that show what cannot be compared.
  var hiding: Set<Int32> = []
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
    for (place, name) in OutcomeWords.fullTexts(self, isOnly: isOnly).enumerated() {
      (outcomes[place].text, outcomes[place].hasOwnText) = (name.text, name.isOwn)
      // What has no name of its own cannot be told from another outcome the next time.
      outcomes[place].isAllowed = allowed.map { $0.contains(name.text) && name.isOwn } ?? true
    }
  }

  /// Leaves out what is known of values beyond their names.
  mutating func hideValues(isOnly: Bool) {
    for place in outcomes.indices {
      for screen in outcomes[place].screens.indices {
        outcomes[place].screens[screen].hideValues()
      }
    }
    for (place, name) in OutcomeWords.fullTexts(self, isOnly: isOnly).enumerated() {
      outcomes[place].text = name.text
    }
  }

  /// Whether several orders were compared by the names of values alone, and there is more to the values.
  var isByName: Bool { !namesOnly.isEmpty && orders > 1 }

  /// Whether the input can end in several ways.
  public var isDifferent: Bool { outcomes.count > 1 }
}
