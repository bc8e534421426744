import StatyHistory
import StatyReplay

/// The what-if replays of files, each as often as is wanted, and whether the runs agree.
struct WhatIfRuns {
  let plan: SessionReplay.Plan
  let flags: WhatIfFlags
  let changes: WhatIfReplay.Plan

  /// Plays the sessions of a file that are meant, the second time in another process.
  func replays(
    of history: OpenHistory, runs: Int, executable: String?
  ) throws -> [WhatIfReplay] {
    try history.doing("Replaying") { reader in
      let pin = try reader.sessions().compactMap(\.lastSeq).max()
      var replays = try once(history, pin: pin, isVerified: true)
      let others = ReplayRuns(of: history, plan: plan, pin: pin, flags: flags.words)
      for number in 1..<max(runs, 1) {
        let outcomes = others.outcomes(executable, number)
        for place in replays.indices where replays[place].disagreement == nil {
          judge(&replays[place], outcomes)
        }
      }
      return replays
    }
  }

  /// What another run wants to know: a line for each session.
  func printOutcomes(_ run: ToolRun, _ paths: [String], pin: Int64) throws -> ExitCode {
    .worst(
      of: try run.overFiles(paths) { history in
        try history.doing("Replaying") { _ in
          for replay in try once(history, pin: pin == 0 ? nil : pin, isVerified: false) {
            try run.print(replay.outcome + "\n")
          }
        }
        return .done
      })
  }

  private func once(
    _ history: OpenHistory, pin: Int64?, isVerified: Bool
  ) throws -> [WhatIfReplay] {
    let sessions = try plan.choice.sessions(of: history)
    try plan.choice.checkNames(sessions, of: history)
    return try sessions.map { session in
      if isVerified { try history.verify(session) }
      return try WhatIfReplay(session, of: history, plan: plan, changes, pin: pin)
    }
  }

  private func judge(
    _ replay: inout WhatIfReplay, _ outcomes: Result<[String], AnotherRun.Trouble>
  ) {
    switch outcomes {
    case .success(let lines):
      replay.runs += 1
      if !lines.contains(replay.outcome) { replay.disagreement = .differs(run: replay.runs) }
    case .failure(let trouble): replay.disagreement = ReplayRuns.disagreement(trouble)
    }
  }
}
