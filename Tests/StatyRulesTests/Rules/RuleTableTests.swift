import Testing

@testable import StatyRules

@Suite("The table of rules")
struct RuleTableTests {
  // The table finds a rule by its index.
  @Test func `has every rule once, in the order of the codes`() {
    // What is about several events or tracks is judged beside the table, and a condition of the app's own
    // by the replay that runs its model.
    let beside: [RuleCode] = [
      .lateAnswer, .mirror, .askedTwice, .answeredTwice, .neverAnswered, .neverReceived,
      .uncausedChange, .aliveTwice, .invariant,
    ]
    #expect(RuleTable.rules.map { $0.code } == RuleCode.allCases.filter { !beside.contains($0) })
  }

  @Test func `codes are stable`() {
    #expect(
      RuleCode.allCases.map(\.rawValue) == [
        "entered-discarded", "exit-before-enter", "overlap", "double-enter", "double-exit",
        "never-entered", "never-arrived", "never-exited", "out-of-order", "undeclared-transition",
        "stale-request", "slow-enter", "slow-exit", "reentrant-request", "overlapping-handling",
        "late-answer", "double-push", "mirror", "asked-twice", "answered-twice", "never-answered",
        "never-received", "uncaused-change", "alive-twice", "never-left", "invariant",
      ])
  }
}
