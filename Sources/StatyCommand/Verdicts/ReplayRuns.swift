import StatyHistory

/// The result of replaying or playing one session, confirmed by a second run in another process if
/// wanted.
protocol RepeatedReplay: Verdict {
  /// The other flags of the command line.
  var flags: [String] { get }
  /// Whether there was a second run.
  var isRepeated: Bool { get set }
  /// Why the second run does not confirm the first, if it does not.
  var disagreement: Disagreement? { get set }
  /// What two runs must have in common, a line for each part.
  var outcomes: [String] { get }
  /// Compares the result with that of another run.
  mutating func judge(_ lines: Result<[String], AnotherRun.Trouble>)
}

/// Why a second run does not confirm the first.
enum Disagreement: Equatable {
  /// The runs differ.
  case differs
  /// There was no second run.
  case notMade(reason: String)

  /// The reason for an unconfirmed result if another run failed.
  init(_ trouble: AnotherRun.Trouble) {
    switch trouble {
    case .notStarted(let reason):
      self = .notMade(reason: "the tool could not be started a second time: \(reason)")
    case .failed(let code):
      self = .notMade(reason: "a second run of the tool failed with \(code)")
    case .endless(let limit):
      self = .notMade(
        reason:
          "a second run had not come to its end after \(limit.components.seconds) s, which is "
          + "far longer than the first took, and was stopped")
    }
  }

  /// The reason, in one sentence.
  var sentence: String {
    switch self {
    case .differs:
      "A second run differs from the first: the controller depends on something that is not "
        + "recorded, such as a static property, the order of a set, a random number or the clock."
    case .notMade(let reason):
      "A controller that depends on more than its inputs would not be noticed, because "
        + reason.visible + "."
    }
  }
}

extension RepeatedReplay {
  var flags: [String] { [] }

  func outcome(_ verdict: String, _ digest: UInt64) -> String {
    JSONValue.object([
      "session": .whole(session.id), "digest": .text(String(digest, radix: 16)),
      "verdict": .text(verdict),
    ]).line
  }

  mutating func judge(_ lines: Result<[String], AnotherRun.Trouble>) { judgeItself(lines) }

  /// Compares the own lines of the result, without its parts.
  mutating func judgeItself(_ lines: Result<[String], AnotherRun.Trouble>) {
    guard disagreement == nil else { return }
    switch lines {
    case .success(let lines):
      isRepeated = true
      if !lines.contains(outcomes[0]) { disagreement = .differs }
    case .failure(let trouble): disagreement = Disagreement(trouble)
    }
  }

  var runsInWords: String {
    isRepeated ? "2 runs, the second in a process of its own" : "1 run"
  }
}

/// Replays the sessions of files, and compares second runs.
struct ReplayRuns<Replay: RepeatedReplay> {
  let plan: ReplayPlan
  /// The flags of the second run, besides the plan.
  var flags: [String] = []
  /// Replays a session once.
  ///
  /// The last argument says whether the result needs everything for a report, or only what runs are
  /// compared by.
  let once: (SessionRecord, OpenHistory, _ pin: Int64?, _ isWhole: Bool) throws -> Replay

  /// The runs that verify sessions.
  static func verifying(_ plan: ReplayPlan) -> Self where Replay == SessionReplay {
    ReplayRuns(plan: plan) { try SessionReplay($0, of: $1, plan: plan, pin: $2, isWhole: $3) }
  }

  /// The results of a file's sessions.
  struct Outcome {
    var replays: [Replay] = []
    /// Why some could not be replayed.
    var failures: [Failure] = []
  }

  /// Replays the selected sessions of a file.
  ///
  /// - Parameter isRepeated: whether to replay them a second time, in another process.
  func replays(of history: OpenHistory, isRepeated: Bool, executable: String?) throws -> Outcome {
    try history.doing("Replaying") { reader in
      let pin = try reader.sessions().compactMap(\.lastSeq).max()
      let began = ContinuousClock.now
      var outcome = try all(history, pin: pin, isWhole: true)
      guard isRepeated, !outcome.replays.isEmpty else { return outcome }
      let taken = ContinuousClock.now - began
      // Only in the same process does a class see what it left behind in a static property.
      if taken < .seconds(1) {
        let again = try all(history, pin: pin, isWhole: false).replays.flatMap(\.outcomes)
        for place in outcome.replays.indices { outcome.replays[place].judge(.success(again)) }
      }
      // A class is not run behind a divergence, so two runs can agree there by chance. If a run is
      // quick, more of them are made.
      let most = taken < .seconds(1) && outcome.replays.contains { $0.status == .broken } ? 4 : 1
      for _ in 0..<most {
        let lines = lines(history, executable, pin, AnotherRun.limit(ifFirstTook: taken))
        for place in outcome.replays.indices { outcome.replays[place].judge(lines) }
      }
      return outcome
    }
  }

  /// Prints what another run compares: a line for each replay.
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
    // A history without sessions has nothing to reproduce.
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
    _ history: OpenHistory, _ executable: String?, _ pin: Int64?, _ limit: Duration
  ) -> Result<[String], AnotherRun.Trouble> {
    guard let executable else { return .failure(.notStarted("it does not know its own file")) }
    var words = ["replay", "--outcomes=\(pin ?? 0)"] + flags + plan.words
    if let session = plan.choice.session { words.append("--session=\(session)") }
    let run = AnotherRun(executable, arguments: words + ["--", history.path], limit: limit)
    return Result { () throws(AnotherRun.Trouble) in try run.lines() }
  }
}
