import StatyRules

/// What a search is for, from the beginning.
struct SearchAim {
  /// The rules that are meant; `nil` for all that are errors.
  let codes: Set<RuleCode>?
  /// Whether it goes on until it has found each of them broken.
  let isForEach: Bool
  /// Which findings of these rules are meant.
  let isMeant: (Finding, ScheduleRun) -> Bool

  /// Whether it counts that a state keeps silent that was told something in its turn.
  var namesSilence: Bool { codes?.contains { $0.awaited != nil } ?? false }

  func isWanted(_ code: RuleCode) -> Bool {
    if !code.isPlayed { return false }
    return codes?.contains(code) ?? (code.severity == .error)
  }

  /// The findings of a run that it is for.
  func findings(in run: ScheduleRun) -> [Finding] {
    run.violations(naming: codes).filter { isWanted($0.code) && isMeant($0, run) }
  }

  /// What is to be found when nothing is found yet.
  var goal: SearchGoal {
    SearchGoal(open: Set(RuleCode.allCases.filter(isWanted)), isForEach: isForEach)
  }
}

/// What a search is still for.
struct SearchGoal {
  /// The rules that are meant and that it has not found broken.
  var open: Set<RuleCode>
  /// Whether it goes on until it has found each of them broken.
  var isForEach: Bool
}
