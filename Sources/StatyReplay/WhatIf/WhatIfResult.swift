package import StatyHistory
package import StatyRules

/// The result of playing a session again with a change.
package struct WhatIfResult: Equatable, Sendable {
  /// The result in a word.
  package enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// The recording broke rules, and the replay does not.
    case fixed
    /// Neither the recording nor the replay breaks a rule.
    case clean
    /// The same rule is still broken.
    case stillBroken = "still broken"
    /// A rule is broken that the recording does not break.
    case newlyBroken = "newly broken"
    /// Nothing is proven, for the reasons in ``WhatIfResult/doubts``.
    case inconclusive
  }

  /// The findings in the recording, at the played controllers.
  package var recorded: [Finding] = []
  /// The findings in the recording after the event to end with, about visits that were requested by
  /// then: the replay also goes on until they have come to rest.
  package var recordedLater: [Finding] = []
  /// The findings in the replay; their numbers are those of ``events``.
  package var findings: [Finding] = []
  /// What was assumed, in the order in which it was needed.
  package var assumptions: [Assumption] = []
  /// What prevents a verdict.
  package var doubts: [ReplayDoubt] = []
  /// What happened, as a recorder would write it.
  ///
  /// The numbers equal those of the recording until the replay differs.
  package var events: [EventRow] = []
  /// The names that the events use.
  package var names: [Int32: String] = [:]
  /// The controllers as they were played.
  package var controllers: [ControllerRecord] = []
  /// The recorded numbers of visits, by controller and by the visits' numbers here.
  package var recordedVisits: [Int32: [UInt32: UInt32]] = [:]
  /// A hash of everything that happened and was found, the same in every run and process.
  package var digest: UInt64 = 0

  /// The verdict.
  ///
  /// A broken rule in the replay counts in spite of most doubts; that none is broken does not. If a
  /// class may do something else than it would in the app, neither does.
  package var verdict: Verdict {
    let before = codes(recorded)
    let now = codes(findings)
    if doubts.contains(where: \.isAboutConduct) { return .inconclusive }
    if !now.isDisjoint(with: before.union(codes(recordedLater))) { return .stillBroken }
    if !now.isEmpty { return .newlyBroken }
    if !doubts.isEmpty { return .inconclusive }
    return before.isEmpty ? .clean : .fixed
  }

  /// The result, compared with that of another run; both should be equal.
  package func confirmed(by other: WhatIfResult) -> WhatIfResult {
    guard digest != other.digest else { return self }
    var result = self
    result.doubts.append(.hiddenInput)
    return result
  }

  /// The findings in the replay that decide the verdict.
  package var decisive: [Finding] { findings.filter(\.isSought) }

  private func codes(_ findings: [Finding]) -> Set<RuleCode> {
    Set(findings.filter(\.isSought).map(\.code))
  }
}
