import StatyHistory
import StatyReplay
import StatyReport

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
  let result: Exploration
  /// The order that was found, played to its end.
  let played: ScheduleRun?

  init(
    _ session: SessionRecord, of history: OpenHistory, plan: ReplayPlan, _ search: Search,
    progress: ExplorationProgress
  ) throws {
    self.history = history
    self.session = session
    self.plan = plan
    (result, played) = try history.saying("Exploring") { reader in
      let controllers = try reader.controllers(session: session.id).filter(plan.choice.means)
      return try plan.engine.explore(
        session, reader, through: plan.last, with: plan.kinds.replacement(of: controllers),
        about: Set(controllers.map(\.id)), search.options
      ) { scenario in
        let loose = search.isLoose ? scenario.loosened : scenario
        return search.mayBeSilent ? loose.allowingSilence : loose
      } progress: {
        if progress.isWanted { progress.tell($0) }
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

/// Tells whoever watches how far a search is, on one line that is written over.
final class ExplorationProgress {
  private let run: ToolRun
  private var last = ContinuousClock.now
  private var isShown = false

  /// Whether anybody watches.
  var isWanted: Bool { run.console.hasWatcher && !run.isQuiet }

  init(_ run: ToolRun) { self.run = run }

  func tell(_ progress: Explorer.Progress) {
    let now = ContinuousClock.now
    guard now - last > .milliseconds(200) else { return }
    last = now
    isShown = true
    let text =
      "Searched \(Decimal.count(progress.states, "state")), "
      + "\(Decimal.count(progress.depth, "step")) deep"
    try? run.console.err.write("\r\u{1b}[K" + DisplayWidth.cut(text, to: run.console.width - 1))
    try? run.console.err.flush()
  }

  /// Takes the line away.
  func finish() {
    guard isShown else { return }
    try? run.console.err.write("\r\u{1b}[K")
    try? run.console.err.flush()
  }
}
