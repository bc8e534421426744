import StatyRules

/// What a whole search is for.
struct SearchAim {
  /// The rules that are meant; `nil` for those that are sought without being named.
  let codes: Set<RuleCode>?
  /// Whether it goes on until it has found each of them broken.
  let isForEach: Bool
  /// Which findings of these rules are meant.
  let isMeant: (Finding, ScheduleRun) -> Bool

  /// Whether it counts when a state does not answer what it was told in its turn.
  var namesSilence: Bool { codes?.contains { $0.awaited != nil } ?? false }

  func isWanted(_ code: RuleCode) -> Bool {
    if !code.isPlayed { return false }
    return codes?.contains(code) ?? code.isSought
  }

  /// The findings of a run that it is for.
  func findings(in run: ScheduleRun) -> [Finding] {
    run.findings(naming: codes).filter { isWanted($0) && isMeant($0, run) }
  }

  /// Whether it looks for a finding: unless its rule is named, not for every one of each rule.
  func isWanted(_ finding: Finding) -> Bool {
    isWanted(finding.code) && (codes != nil || finding.isSought)
  }

  /// The goal of a search that has found nothing yet.
  var goal: SearchGoal {
    SearchGoal(open: Set(RuleCode.allCases.filter(isWanted)), isForEach: isForEach)
  }
}

/// What a search still has to find.
struct SearchGoal {
  /// The wanted rules that no found order breaks yet.
  var open: Set<RuleCode>
  /// Whether it goes on until each of them was found broken.
  var isForEach: Bool
}
