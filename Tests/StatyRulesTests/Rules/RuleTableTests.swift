import Testing

@testable import StatyRules

@Suite("The table of rules")
struct RuleTableTests {
  // The table finds a rule by its index.
  @Test func `has every rule once, in the order of the codes`() {
    // A condition of the app's own is judged by the replay that runs its model.
    #expect(RuleTable.rules.map { $0.code } + [.invariant] == RuleCode.allCases)
  }

  @Test func `codes are stable`() {
    #expect(
      RuleCode.allCases.map(\.rawValue) == [
        "entered-discarded", "exit-before-enter", "overlap", "double-enter", "double-exit",
        "never-entered", "never-arrived", "never-exited", "out-of-order", "undeclared-transition",
        "stale-request", "slow-enter", "slow-exit", "reentrant-request", "overlapping-handling",
        "late-answer", "double-push", "invariant",
      ])
  }
}
