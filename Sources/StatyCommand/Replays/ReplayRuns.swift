/// All runs of the replay of one file, and whether they agree.
struct ReplayRuns {
  private let history: OpenHistory
  private let plan: SessionReplay.Plan
  private let pin: Int64?
  private let flags: [String]

  /// - Parameters:
  ///   - pin: the last event of the file, of which every run knows.
  ///   - flags: what else the runs are told.
  init(of history: OpenHistory, plan: SessionReplay.Plan, pin: Int64?, flags: [String] = []) {
    self.flags = flags
    self.history = history
    self.plan = plan
    self.pin = pin
  }

  /// Replays the file's sessions again, each time in another process, until so many runs are made,
  /// and says in each replay whether all agree.
  func compare(_ replays: inout [SessionReplay], runs: Int, executable: String?) {
    for number in 1..<max(runs, 1) {
      let outcomes = outcomes(executable, number)
      for place in replays.indices where replays[place].disagreement == nil {
        switch outcomes {
        case .success(let lines): judge(&replays[place], lines.contains(replays[place].outcome))
        case .failure(let trouble): replays[place].disagreement = Self.disagreement(trouble)
        }
      }
    }
  }

  private func judge(_ replay: inout SessionReplay, _ isEqual: Bool) {
    replay.runs += 1
    if isEqual { return }
    replay.disagreement = .differs(run: replay.runs)
  }

  /// What the sessions of the file come to in another process.
  func outcomes(
    _ executable: String?, _ number: Int
  ) -> Result<[String], AnotherRun.Trouble> {
    guard let executable else { return .failure(.notStarted("it does not know its own file")) }
    let run = AnotherRun(executable, arguments: arguments)
    return Result { () throws(AnotherRun.Trouble) in try run.lines(number: number) }
  }

  private var arguments: [String] {
    var words = ["replay", "--runs=1", "--outcomes=\(pin ?? 0)"] + flags
    if let session = plan.choice.session { words.append("--session=\(session)") }
    words += plan.choice.controllers.map { "--controller=\($0)" }
    if let last = plan.last { words.append("--until=\(last)") }
    if let policy = plan.policy { words.append("--with=\(policy)") }
    return words + ["--", history.path]
  }

  /// Why a run that was not made leaves the others unconfirmed.
  static func disagreement(_ trouble: AnotherRun.Trouble) -> SessionReplay.Disagreement {
    switch trouble {
    case .notStarted(let reason):
      .notMade(reason: "the tool could not be started a second time: \(reason)")
    case .failed(let code): .notMade(reason: "a second run of the tool failed with \(code)")
    }
  }
}

extension SessionReplay.Disagreement {
  /// What is the matter, in one sentence.
  var sentence: String {
    switch self {
    case .differs(let run):
      "Run \(run), in another process, went another way than the first: the controller depends on "
        + "something that is not recorded, such as the order of a set, a random number or the clock."
    case .notMade(let reason):
      "A controller that depends on more than its inputs would not be noticed, because "
        + reason.visible + "."
    }
  }
}
