import StatyHistory
import StatyReplay
import StatyRules

/// One session, replayed as often as was wanted, and what the rules say of it.
struct SessionReplay: RepeatedReplay {
  let history: OpenHistory
  let session: SessionRecord
  let plan: ReplayPlan
  let controllers: [ControllerRecord]
  let losses: [LossRecord]
  /// What came of the first run, as far as the controllers are meant.
  let result: ReplayResult
  /// What the rules say of what was recorded.
  let findings: [Finding]
  /// How many runs were made, and why they do not agree, if they do not.
  var runs = 1
  var disagreement: Disagreement?
  /// What would have come of it with another kind of controller, if one was named.
  private(set) var whatIf: WhatIfReplay?

  /// Replays a session once.
  ///
  /// - Parameter isWhole: whether to say all there is to say of it, or only what runs are compared by.
  init(
    _ session: SessionRecord, of history: OpenHistory, plan: ReplayPlan, pin: Int64?, isWhole: Bool
  ) throws {
    self.history = history
    self.session = session
    self.plan = plan
    controllers = try history.reader.controllers(session: session.id).filter(plan.choice.means)
    losses = try history.reader.losses(session: session.id)
    let last = plan.end(of: session, pin: pin)
    let meant = Set(controllers.map(\.id))
    result = try plan.engine.replay(
      session, history.reader, through: last, with: plan.kinds.replacement(of: controllers),
      about: meant)
    findings =
      isWhole
      ? try HistoryCheck(history.reader).session(session.id, through: last).findings.filter {
        meant.contains($0.controller)
      } : []
    if !plan.kinds.isEmpty {
      whatIf = try WhatIfReplay(session, of: history, plan: plan, .init(), pin: pin)
    }
  }

  /// The verdict: what differs from run to run says nothing about what was recorded.
  var verdict: ReplayResult.Verdict {
    disagreement == nil ? result.verdict : .inconclusive
  }

  var hasDiverged: Bool { verdict == .diverged }

  /// How many events of the session are missing.
  var lost: Int64 { losses.reduce(0) { $0 &+ $1.count } }

  var outcomes: [String] { [outcome] + (whatIf?.outcomes ?? []) }

  mutating func judge(_ lines: Result<[String], AnotherRun.Trouble>) {
    judgeItself(lines)
    whatIf?.judge(lines)
  }

  var status: ExitCode {
    switch verdict {
    case .reproduced: .done
    case .diverged: .broken
    case .inconclusive: .inconclusive
    }
  }

  /// The divergence that is told first.
  ///
  /// Another controller than the recorded one may put off or hasten what it does; where it does
  /// something else is worth more.
  var leading: Divergence? {
    let all = result.divergences
    if plan.kinds.isEmpty { return all.first }
    return all.first { !$0.difference.isMoved } ?? all.first
  }

  /// The divergences in the order in which they are told: the leading one, and then the others.
  var told: [Divergence] {
    guard let leading else { return [] }
    return [leading] + result.divergences.filter { $0 != leading }
  }

  /// Whether something was done in another handling before the divergence that is told first.
  var isMovedBefore: Bool { leading != result.divergences.first }

  /// What two runs must have in common, in one line, however much there is to say of them.
  var outcome: String {
    JSONValue.object([
      "session": .whole(session.id), "digest": .text(String(result.digest, radix: 16)),
      "verdict": .text(result.verdict.rawValue),
    ]).line
  }
}
