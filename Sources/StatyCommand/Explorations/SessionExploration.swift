import StatyHistory
import StatyReplay
import StatyRules

/// One session, searched in every order.
struct SessionExploration {
  /// What is searched for, and how far.
  struct Search: Sendable {
    var options: Explorer.Options
    /// Whether a state that answers in a while may also not answer.
    var mayBeSilent: Bool
    /// Whether what happened inside of a call may also come later.
    var isLoose: Bool
  }

  let history: OpenHistory
  let session: SessionRecord
  let plan: ReplayPlan
  /// The rules that were meant; none for all errors.
  let codes: Set<RuleCode>?
  /// Whether an order was wanted for each rule that is broken.
  let isForEach: Bool
  let result: Exploration
  /// The orders that were found, played to their ends.
  let played: [ScheduleRun]

  init(
    _ session: SessionRecord, of history: OpenHistory, plan: ReplayPlan, _ search: Search,
    progress: ProgressLine
  ) throws {
    self.history = history
    self.session = session
    self.plan = plan
    codes = search.options.codes
    isForEach = search.options.isForEachRule
    (result, played) = try history.saying("Exploring") { reader in
      let controllers = try reader.controllers(session: session.id).filter(plan.choice.means)
      return try plan.engine.explore(
        session, reader, through: plan.last, with: plan.kinds.replacement(of: controllers),
        about: Set(controllers.map(\.id)), search.options
      ) { scenario in
        let loose = search.isLoose ? scenario.loosened : scenario
        return search.mayBeSilent ? loose.allowingSilence : loose
      } progress: {
        let (states, depth) = ($0.states, $0.depth)
        progress.tell(
          "Searched \(Decimal.count(states, "state")), \(Decimal.count(depth, "step")) deep")
      }
    }
  }

  var status: ExitCode {
    switch result.verdict {
    case .passed: .done
    case .broken: .broken
    case .inconclusive: .inconclusive
    }
  }
}
