import StatyHistory

/// The replays of files' sessions, each as often as is wanted, and whether the runs agree.
struct ReplayRuns<Replay: RepeatedReplay> {
  let plan: ReplayPlan
  /// What the runs in processes of their own are told beside the plan.
  var flags: [String] = []
  /// Replays a session once.
  ///
  /// The last is whether all is wanted that there is to say of it, or only what runs are compared by.
  let once: (SessionRecord, OpenHistory, _ pin: Int64?, _ isWhole: Bool) throws -> Replay

  /// What came of the sessions of a file.
  struct Outcome {
    var replays: [Replay] = []
    /// Why some could not be replayed.
    var failures: [Failure] = []
  }

  /// Replays the sessions of a file that are meant, each time but the first in another process.
  func replays(of history: OpenHistory, runs: Int, executable: String?) throws -> Outcome {
    try history.doing("Replaying") { reader in
      let pin = try reader.sessions().compactMap(\.lastSeq).max()
      let began = ContinuousClock.now
      var outcome = try all(history, pin: pin, isWhole: true)
      let taken = ContinuousClock.now - began
      let limit = AnotherRun.limit(ifFirstTook: taken)
      for number in 1..<max(runs, 1) where !outcome.replays.isEmpty {
        let lines = lines(history, executable, pin, number, limit)
        for place in outcome.replays.indices { outcome.replays[place].judge(lines) }
      }
      // A class is run no further behind a divergence, so two runs that choose alike there by chance would
      // be taken for the same. Where a run costs little, some more tell.
      guard runs > 1, taken < .seconds(1) else { return outcome }
      for number in runs..<runs + 8 where outcome.replays.contains(where: \.hasDiverged) {
        let lines = lines(history, executable, pin, number, limit)
        for place in outcome.replays.indices { outcome.replays[place].doubt(lines) }
      }
      return outcome
    }
  }

  /// What another run wants to know: a line for each replay.
  func printOutcomes(_ run: ToolRun, _ paths: [String], pin: Int64) throws -> ExitCode {
    .worst(
      of: try run.overFiles(paths) { history in
        try history.doing("Replaying") { _ in
          for replay in try all(history, pin: pin == 0 ? nil : pin, isWhole: false).replays {
            for line in replay.outcomes { try run.print(line + "\n") }
          }
        }
        return .done
      })
  }

  private func all(_ history: OpenHistory, pin: Int64?, isWhole: Bool) throws -> Outcome {
    var outcome = Outcome()
    let sessions = try plan.sessions(of: history, verifying: false)
    // To find nothing wrong where nothing was recorded says nothing.
    if sessions.isEmpty {
      outcome.failures.append(
        .noSession(in: history, doing: "Replaying", asked: "anything is reproduced"))
    }
    for session in sessions {
      do {
        if isWhole { try history.verify(session) }
        outcome.replays.append(try once(session, history, pin, isWhole))
      } catch let error as Failure where error.status == .badData && sessions.count > 1 {
        outcome.failures.append(error)
      } catch let error as HistoryError {
        let failure = Failure(error, doing: "Replaying '\(history.path)', session \(session.id)")
        guard failure.status == .badData, sessions.count > 1 else { throw error }
        outcome.failures.append(failure)
      }
    }
    return outcome
  }

  private func lines(
    _ history: OpenHistory, _ executable: String?, _ pin: Int64?, _ number: Int, _ limit: Duration
  ) -> Result<[String], AnotherRun.Trouble> {
    guard let executable else { return .failure(.notStarted("it does not know its own file")) }
    var words = ["replay", "--runs=1", "--outcomes=\(pin ?? 0)"] + flags + plan.words
    if let session = plan.choice.session { words.append("--session=\(session)") }
    let run = AnotherRun(executable, arguments: words + ["--", history.path], limit: limit)
    return Result { () throws(AnotherRun.Trouble) in try run.lines(number: number) }
  }
}
