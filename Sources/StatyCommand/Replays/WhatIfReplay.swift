import StatyHistory
import StatyReplay

/// One session, played again with something changed.
struct WhatIfReplay: RepeatedReplay {
  /// What is changed.
  struct Changes {
    var edits: [Edit] = []
    /// How long a state takes if no recording tells, in microseconds, if somebody says that.
    var assumed: Int64?
    /// The same as words of a command line.
    var words = ["--what-if"]
  }

  let history: OpenHistory
  let session: SessionRecord
  let plan: ReplayPlan
  let controllers: [ControllerRecord]
  let changes: Changes
  let result: WhatIfResult
  /// How many runs were made, and why they do not agree, if they do not.
  var runs = 1
  var disagreement: Disagreement?

  /// Plays a session once.
  init(
    _ session: SessionRecord, of history: OpenHistory, plan: ReplayPlan, _ changes: Changes,
    pin: Int64?
  ) throws {
    self.history = history
    self.session = session
    self.plan = plan
    self.changes = changes
    controllers = try history.reader.controllers(session: session.id).filter(plan.choice.means)
    result = try plan.engine.whatIf(
      session, history.reader, through: plan.end(of: session, pin: pin),
      with: plan.kinds.replacement(of: controllers), about: Set(controllers.map(\.id)), changes)
  }

  /// The verdict: what differs from run to run says nothing of what would have been.
  var verdict: WhatIfResult.Verdict { disagreement == nil ? result.verdict : .inconclusive }

  var status: ExitCode {
    switch verdict {
    case .fixed, .clean: .done
    case .stillBroken, .newlyBroken: .broken
    case .inconclusive: .inconclusive
    }
  }

  /// What two runs must have in common, in one line.
  var outcome: String {
    JSONValue.object([
      "session": .whole(session.id), "digest": .text(String(result.digest, radix: 16)),
      "verdict": .text(result.verdict.rawValue),
    ]).line
  }
}
